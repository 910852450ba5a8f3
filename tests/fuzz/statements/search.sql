select instr(zeroblob(60000000), zeroblob(30000000) || x'01')
