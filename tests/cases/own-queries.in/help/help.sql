-- Help.
select 1 as one;
