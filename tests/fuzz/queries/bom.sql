-- A query with a byte-order mark.
select 1 as one
