#!/bin/sh
# M1 by a copy of the file and ALTER TABLE, which is what a lightweight migration in place comes to.
# m1-alter.sh SOURCE RESULT cp|vacuum
set -eu
case $3 in
cp) cp "$1" "$2" ;;
vacuum) sqlite3 -bail "$1" "VACUUM INTO '$2'" ;;
esac
sqlite3 -bail "$2" <<SQL
BEGIN;
ALTER TABLE ZITEM RENAME COLUMN ZWEIGHT TO ZMASS;
ALTER TABLE ZITEM DROP COLUMN ZFRAGILE;
ALTER TABLE ZITEM ADD COLUMN ZSTATUS INTEGER DEFAULT 1;
COMMIT;
SQL
