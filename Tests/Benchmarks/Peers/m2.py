"""M2 in Python: m2.py executemany|functions SOURCE RESULT FOLDER"""

import pathlib
import sqlite3
import sys

how, source, result, folder = sys.argv[1:5]
here = pathlib.Path(__file__).parent


def split(name):
    if name is None:
        return None, None
    first, _, last = name.partition(" ")
    return first, last or None


def tidy(note):
    if note is None:
        return None
    note = note.strip()
    return note[:1].upper() + note[1:]


def text(price):
    return None if price is None else f"{price // 100}.{price % 100:02d}"


def run(file):
    for statement in file.read_text().split(";"):
        db.execute(statement)


def rows():
    reader = sqlite3.connect(f"file:{source}?mode=ro", uri=True)
    select = (here / "m2-select.sql").read_text().replace("old.", "")
    for key, entity, saves, box, created, mass, name, note, price in reader.execute(select):
        yield key, entity, saves, box, created, mass, *split(name), tidy(note), text(price)


db = sqlite3.connect(result, isolation_level=None)
db.execute("ATTACH ? AS old", (source,))
db.execute("BEGIN")
run(pathlib.Path(folder, "rewrite.tables.sql"))
if how == "executemany":
    db.executemany((here / "m2-insert.sql").read_text(), rows())
else:
    db.create_function("first", 1, lambda name: split(name)[0], deterministic=True)
    db.create_function("last", 1, lambda name: split(name)[1], deterministic=True)
    db.create_function("tidy", 1, tidy, deterministic=True)
    db.create_function("price", 1, text, deterministic=True)
    db.execute(
        """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZSTATUS, ZBOX, ZCREATED, ZMASS,
          ZFIRSTNAME, ZLASTNAME, ZNOTE, ZPRICETEXT)
        SELECT Z_PK, Z_ENT, Z_OPT, 1, ZBOX, ZCREATED, ZWEIGHT,
          first(ZNAME), last(ZNAME), tidy(ZNOTE), price(ZPRICE) FROM old.ZITEM
        """
    )
run(here / "m2-rest.sql")
run(pathlib.Path(folder, "rewrite.indexes.sql"))
db.execute("COMMIT")
