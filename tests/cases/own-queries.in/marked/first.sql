-- The first GPU.
select gpu from gpus order by gpu limit 1;
