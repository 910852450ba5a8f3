create table bait (x, y as (printf('%.*c', 60000000, 'x')));
insert into bait (x) values (1), (2), (3);
