"""M3 with thumbnails by Pillow, which scales while it decodes: m3-pillow.py SOURCE RESULT FOLDER"""

import io
import pathlib
import sqlite3
import sys

from PIL import Image

source, result, folder = sys.argv[1:4]
reader = sqlite3.connect(f"file:{source}?mode=ro", uri=True)
db = sqlite3.connect(result)
db.executescript(pathlib.Path(folder, "thumbnails.tables.sql").read_text())


def thumbnail(data):
    image = Image.open(io.BytesIO(data))
    image.thumbnail((160, 160))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=75)
    return out.getvalue()


boxes = reader.execute("SELECT Z_PK, Z_ENT, Z_OPT, ZNAME FROM ZBOX")
db.executemany("INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (?, ?, ?, ?)", boxes)
items = reader.execute("SELECT Z_PK, Z_OPT, ZBOX, ZNAME, ZIMAGE FROM ZITEM")
for count, (key, saves, box, name, data) in enumerate(items, 1):
    db.execute(
        """
        INSERT INTO ZITEM (Z_PK, Z_ENT, Z_OPT, ZBOX, ZPICTURE, ZTHUMBNAIL, ZNAME)
        VALUES (?, 2, ?, ?, ?, ?, ?)
        """,
        (key, saves, box, key, key, name),
    )
    for table, entity, value in (("ZPICTURE", 3, data), ("ZTHUMBNAIL", 4, thumbnail(data))):
        db.execute(
            f"INSERT INTO {table} (Z_PK, Z_ENT, Z_OPT, ZITEM, ZDATA) VALUES (?, ?, 1, ?, ?)",
            (key, entity, key, value),
        )
    if count % 10 == 0:
        db.commit()
db.commit()
db.executescript(pathlib.Path(folder, "thumbnails.indexes.sql").read_text())
db.commit()
