-- Takes a flag of the program.
--
-- :format text  format
select :format as format
