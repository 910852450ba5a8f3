-- Does more than reading.
delete from models;
