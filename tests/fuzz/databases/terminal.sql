update models set model_name = 'a' || char(27) || '[2J' || char(8238), model = 'x';
