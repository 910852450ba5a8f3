-- Uses a parameter that it does not declare.
select model from models where model = :modell order by model;
