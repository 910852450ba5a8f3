update models set model = zeroblob(1000000);
update precisions set source_name = zeroblob(1000000);
