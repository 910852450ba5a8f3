-- Named like a flag.
select 1 as one order by one;
