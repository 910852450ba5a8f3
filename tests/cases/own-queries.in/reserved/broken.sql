-- Takes the name of a flag of the program's own.
--
-- :format  text  any
select :format as format order by format;
