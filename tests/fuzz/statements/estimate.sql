select 1 as cost_estimate, 'a' || char(27) as b
