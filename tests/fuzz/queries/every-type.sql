-- Every type of parameter.
--
-- :task       task                    workload
-- :model      model                   model
-- :gpu        gpu                     GPU
-- :when       date = 2026-01-01       a day
-- :share      real from 0 up to 1 = 0.5   a share
-- :many       integer from 1 = 3      a number
-- :is         boolean = false         or not
-- :which      one of a|b = a          one
select :task as task, :model as model, :gpu as gpu, :when as day, :share as share, :many as many,
    :is as is_so, :which as which
