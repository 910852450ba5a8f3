-- Names a column that is not there.
select modell from models;
