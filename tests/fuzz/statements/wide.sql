select printf('%.*c', 60000000, 'x'), printf('%.*c', 60000000, 'x'), printf('%.*c', 60000000, 'x'), printf('%.*c', 60000000, 'x'), printf('%.*c', 60000000, 'x')
