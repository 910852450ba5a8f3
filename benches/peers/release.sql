-- The default row of the table of releases.
insert into release (
    release_id, version, updated, data_version, unit, itl_deadline_ms, caveat, boundary,
    energydb_version
)
values (
    1, '1', '2026-09-27', '2026-09-27', 'Wh per million output tokens', 500.0,
    'GPU energy only.', 'gpu_only', 'peer'
);
