with recursive n (i) as (select 1 union all select i + 1 from n where i < 20000)
insert into sqlite_schema select 'view', 'w' || i, 'w' || i, 0, 'create view w' || i || ' as select 1' from n;
