-- What lets a file explain itself and be found out when it was altered.

create table dictionary (
    -- One row per table or view, and one per column of each: what it means.
    dictionary_id integer not null primary key,
    object_name text not null,  -- the table or view
    kind text not null,         -- table or view
    column_name text,           -- null in the row that is about the whole table or view
    meaning text not null,
    unit text,                  -- null where there is none
    source text                 -- the source's field or the formula; null where the meaning says it
);

create unique index dictionary_by_name on dictionary (object_name, column_name);

create table content_hash (
    -- At most one row: the sha256 of the content of all other tables, as it was when this file was
    -- built. It is taken of the names of the tables, in order, each followed by its rows in the
    -- order of their primary key, each row by its values in the order of the columns. A name and a
    -- value are written as a letter, the number of bytes that follow it in decimal digits, a colon
    -- and the bytes: T and a table's name in UTF-8; n and nothing for null; i and the decimal
    -- digits of an integer; r and the 8 bytes of a real number (IEEE 754 double, big-endian); t and
    -- the UTF-8 bytes of a text; b and the bytes of a blob. Left out are this table, the history of
    -- migrations (refinery_schema_history) and SQLite's own tables (sqlite_...).
    content_hash_id integer not null primary key check (content_hash_id = 1),
    sha256 text not null  -- in hexadecimal, lower case
);
