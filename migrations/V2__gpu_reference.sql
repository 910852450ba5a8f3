-- What the vendor publishes of a type of GPU, with where it says so. Null for a GPU that the
-- program has no reference data of; nothing here was measured or guessed.

-- The exact product that the other columns describe, such as H100 SXM 80 GB.
alter table gpus add column product text;

alter table gpus add column vendor text;

-- Highest power that one GPU is rated for, watts.
alter table gpus add column rated_power_watts real
    check (rated_power_watts > 0 and rated_power_watts < 9e999);

-- Memory of one GPU, 10^9 bytes.
alter table gpus add column memory_gb real check (memory_gb > 0 and memory_gb < 9e999);

-- The vendor's document that says so: its title and its address.
alter table gpus add column reference_title text;

alter table gpus add column reference_url text;
