attach 'evil.sqlite' as evil
