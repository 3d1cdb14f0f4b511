#!/bin/sh
# M1 on rows of sixty columns, with SQLite's shell: m1-wide.sh SOURCE RESULT FOLDER
set -eu
kept=$(sqlite3 "$1" "SELECT group_concat(name) FROM pragma_table_info('ZRECORD')
  WHERE name NOT IN ('ZWEIGHT', 'ZA53')")
sqlite3 -bail "$2" <<SQL
ATTACH '$1' AS old;
BEGIN;
.read '$3/rename.tables.sql'
INSERT INTO ZRECORD ($kept, ZMASS, ZSTATUS) SELECT $kept, ZWEIGHT, 1 FROM old.ZRECORD;
INSERT INTO Z_PRIMARYKEY SELECT * FROM old.Z_PRIMARYKEY;
INSERT INTO Z_METADATA SELECT * FROM old.Z_METADATA;
COMMIT;
SQL
