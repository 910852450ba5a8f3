drop view configuration_energy;
create view configuration_energy as select printf('%.*c', 60000000, 'x') as task, printf('%.*c', 60000000, 'x') as model,
    printf('%.*c', 60000000, 'x') as gpu, printf('%.*c', 60000000, 'x') as row_id;
