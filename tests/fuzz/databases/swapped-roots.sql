update sqlite_schema set rootpage = (select rootpage from sqlite_schema where name = 'gpus') where name = 'configurations';
