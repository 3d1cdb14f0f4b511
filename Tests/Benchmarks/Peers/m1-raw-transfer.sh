#!/bin/sh
# M1 with SQLite's shell, the unchanged tables moved b-tree by b-tree: where the new table has the
# old one's columns and indexes and is empty, SQLite copies records without reading what is in them.
# m1-raw-transfer.sh SOURCE RESULT FOLDER
set -eu
sqlite3 -bail "$2" <<SQL
ATTACH '$1' AS old;
BEGIN;
.read '$3/rename.tables.sql'
CREATE INDEX Z_2TAGS_Z_3TAGS_INDEX ON Z_2TAGS (Z_3TAGS, Z_2ITEMS);
INSERT INTO Z_2TAGS SELECT * FROM old.Z_2TAGS;
INSERT INTO ZBOX SELECT * FROM old.ZBOX;
INSERT INTO ZTAG SELECT * FROM old.ZTAG;
INSERT INTO Z_PRIMARYKEY SELECT * FROM old.Z_PRIMARYKEY;
INSERT INTO Z_METADATA SELECT * FROM old.Z_METADATA;
INSERT INTO ZITEM
  (Z_PK, Z_ENT, Z_OPT, ZPRICE, ZSTATUS, ZBOX, ZCREATED, ZMASS, ZNAME, ZNOTE)
  SELECT Z_PK, Z_ENT, Z_OPT, ZPRICE, 1, ZBOX, ZCREATED, ZWEIGHT, ZNAME, ZNOTE FROM old.ZITEM;
$(grep -v Z_2TAGS_Z_3TAGS_INDEX "$3/rename.indexes.sql")
COMMIT;
SQL
