"""M1 with Alembic's batch mode, on a copy: m1-alembic.py SOURCE RESULT"""

import shutil
import sys

import sqlalchemy
from alembic.migration import MigrationContext
from alembic.operations import Operations

source, result = sys.argv[1:3]
shutil.copyfile(source, result)
engine = sqlalchemy.create_engine("sqlite:///" + result)
with engine.begin() as connection:
    operations = Operations(MigrationContext.configure(connection))
    with operations.batch_alter_table("ZITEM") as items:
        items.alter_column("ZWEIGHT", new_column_name="ZMASS")
        items.drop_column("ZFRAGILE")
        items.add_column(sqlalchemy.Column("ZSTATUS", sqlalchemy.Integer, server_default="1"))
