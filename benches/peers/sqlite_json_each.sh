#!/usr/bin/env bash
# Build the same database with the sqlite3 shell alone: INPUT OUTPUT.
# The shell is $SQLITE3, or sqlite3. INPUT has no quotes in its path.
set -euo pipefail
input=$1 output=$2
here=$(cd "$(dirname "$0")" && pwd)
migrations=$here/../../migrations
sha256=$(sha256sum -- "$input")
{
    echo ".bail on"
    echo ".parameter init"
    echo ".parameter set :input \"'$input'\""
    echo ".parameter set :name \"'$(basename "$input")'\""
    echo ".parameter set :sha256 \"'${sha256%% *}'\""
    echo ".parameter set :bytes $(wc -c <"$input")"
    echo "pragma cache_size = -262144;"
    echo "begin;"
    # No index on the rows until they are there, which is faster.
    cat "$migrations"/V*.sql
    echo "drop index configurations_by_key;"
    echo "drop index configurations_by_energy;"
    cat "$here/release.sql" "$here/sqlite_json_each.sql"
    # As the migration that made the table last makes them.
    sed -n '/^create.* index configurations_by/,/;$/p' "$(grep -l '^create table configurations' "$migrations"/V*.sql | tail -1)"
    # SQLite looks up what a view reads only when it is read, so any order will do.
    cat "$migrations"/views/*.sql
    echo "commit;"
} | "${SQLITE3:-sqlite3}" "$output"
