delete from configurations;
delete from models;
