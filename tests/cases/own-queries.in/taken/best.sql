-- Takes the name of another query.
select model from models order by model;
