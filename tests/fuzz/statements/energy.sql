select model, gpu, wh_per_million_output_tokens from configuration_energy
where task = 'gpqa' order by 3 limit 5
