create trigger bait after insert on models begin delete from configurations; end;
