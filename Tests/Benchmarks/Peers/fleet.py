"""M1 of many stores: a backup of each, then ALTER TABLE in one transaction: fleet.py LIST"""

import os
import pathlib
import shutil
import sqlite3
import sys


def sync(path):
    handle = os.open(path, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def migrate(path):
    backup = path + ".backup"
    shutil.copyfile(path, backup)
    sync(backup)
    sync(os.path.dirname(path))
    store = sqlite3.connect(path, isolation_level=None)
    store.execute("PRAGMA journal_mode = DELETE")
    store.execute("PRAGMA synchronous = EXTRA")
    store.execute("BEGIN EXCLUSIVE")
    store.execute("ALTER TABLE ZITEM RENAME COLUMN ZWEIGHT TO ZMASS")
    store.execute("ALTER TABLE ZITEM DROP COLUMN ZFRAGILE")
    store.execute("ALTER TABLE ZITEM ADD COLUMN ZSTATUS INTEGER DEFAULT 1")
    store.execute("COMMIT")
    if store.execute("PRAGMA quick_check").fetchone() != ("ok",):
        sys.exit(f"{path} is damaged")
    store.close()


for line in pathlib.Path(sys.argv[1]).read_text().splitlines():
    migrate(line)
