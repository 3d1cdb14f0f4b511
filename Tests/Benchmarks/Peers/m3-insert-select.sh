#!/bin/sh
# M3 without thumbnails, with SQLite's shell: m3-insert-select.sh SOURCE RESULT FOLDER
set -eu
sqlite3 -bail "$2" <<SQL
ATTACH '$1' AS old;
BEGIN;
.read '$3/move.tables.sql'
INSERT INTO ZBOX SELECT * FROM old.ZBOX;
INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZBOX, ZPICTURE, ZNAME)
  SELECT Z_PK, 2, Z_OPT, ZBOX, Z_PK, ZNAME FROM old.ZITEM;
INSERT INTO ZPICTURE (Z_PK, Z_ENT, Z_OPT, ZITEM, ZDATA)
  SELECT Z_PK, 3, 1, Z_PK, ZIMAGE FROM old.ZITEM;
INSERT INTO Z_METADATA SELECT * FROM old.Z_METADATA;
.read '$3/move.indexes.sql'
COMMIT;
SQL
