-- The configurations with the lowest latency.
--
-- :gpu       gpu          GPU, such as B200
-- :precision precision    number format of the weights
-- :limit     integer = 2  how many rows
-- :repeats   boolean = false  whether repeats count
-- :since     date         not before this day
-- :letters   text         part of the model's name
select
    configuration_energy.row_id as row_id,
    configuration_energy.median_itl_ms as median_itl_ms
from configuration_energy
cross join release
where (:gpu is null or configuration_energy.gpu = :gpu)
    and (:precision is null or configuration_energy.precision = :precision)
    and (:repeats or configuration_energy.repeat = 1)
    and (:since is null or release.data_version >= :since)
    and (:letters is null or configuration_energy.model_name like '%' || :letters || '%')
order by configuration_energy.median_itl_ms, configuration_energy.row_id
limit :limit;
