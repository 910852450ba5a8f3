-- Declares a parameter that it does not use.
--
-- :gpu  gpu  GPU, such as B200
select model from models order by model;
