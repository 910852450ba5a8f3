update refinery_schema_history set checksum = -1, applied_on = x'ff', name = null;
