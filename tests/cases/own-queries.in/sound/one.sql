-- One configuration.
--
-- :row_id  row_id  which one
select
    configuration_energy.row_id as row_id,
    configuration_energy.repeat as repeat,
    configuration_energy.avg_running_batch as avg_running_batch
from configuration_energy
where configuration_energy.row_id = :row_id
order by configuration_energy.row_id;
