update configurations set power_watts = 'text', median_itl_ms = x'00', p99_itl_ms = 9e999;
