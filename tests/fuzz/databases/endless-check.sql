create table bait (x text check (instr(zeroblob(60000000), zeroblob(30000000) || x'01') = 0));
insert into bait values ('y');
