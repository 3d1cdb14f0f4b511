"""M1 with sqlite-utils, on a copy: m1-sqlite-utils.py SOURCE RESULT"""

import shutil
import sys

import sqlite_utils

source, result = sys.argv[1:3]
shutil.copyfile(source, result)
items = sqlite_utils.Database(result)["ZITEM"]
items.transform(rename={"ZWEIGHT": "ZMASS"}, drop={"ZFRAGILE"})
items.add_column("ZSTATUS", int, not_null_default=1)
