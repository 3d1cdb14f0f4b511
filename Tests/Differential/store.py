"""Writes a store of a model, as Core Data would have, from content given by names.

Content names entities and properties, so that it stays usable while a model is made smaller: what
the model does not have is left out.
"""

import os
import plistlib
import sqlite3
from dataclasses import dataclass, field

import derived
import history
import indexes
from hashes import model_metadata
from mirror import write_mirror
from schema import FIXED_TABLES, Layout


@dataclass
class Object:
    entity: str
    key: int
    saves: int = 1
    values: dict = field(default_factory=dict)
    links: dict = field(default_factory=dict)    # to-one: (entity, key) or None
    orders: dict = field(default_factory=dict)   # to-one: its place among the inverse's members
    hidden: dict = field(default_factory=dict)   # (declarer, to-many without inverse): key


@dataclass
class Change:
    kind: int
    entity: str
    key: int
    transaction: int
    bits: set = field(default_factory=set)
    tombstones: dict = field(default_factory=dict)


@dataclass
class Content:
    objects: list = field(default_factory=list)
    # (declarer, property): list of (owner, member, member's place, owner's place)
    joins: dict = field(default_factory=dict)
    changes: list = field(default_factory=list)
    transactions: int = 0
    has_history: bool = False
    spare: int = 0            # how far the highest key used lies beyond the highest there is
    framework: int = 1344
    metadata: dict = field(default_factory=dict)
    uuid: str = "00000000-0000-4000-8000-000000000000"
    files: dict = field(default_factory=dict)
    wal: bool = False
    has_mirror: bool = False
    records: list = field(default_factory=list)   # pairs of entity and key
    analyzed: list = field(default_factory=list)
    pairs: list = field(default_factory=list)     # entity, other entity, relationship


def store_object(connection, layout, each):
    model = layout.model
    if each.entity not in layout.numbers or model.entities[each.entity].abstract:
        return
    row = {"Z_PK": each.key, "Z_ENT": layout.numbers[each.entity], "Z_OPT": each.saves}
    for _, attribute in model.attributes(each.entity):
        if attribute.stored and attribute.name in each.values:
            column = layout.column(each.entity, attribute.name, "attribute")
            row[column.name] = each.values[attribute.name]
    for name, link in each.links.items():
        store_link(layout, each, row, name, link)
    for (declarer, name), key in each.hidden.items():
        column = layout.columns.get((declarer, name, "hidden"))
        if column and model.entities[declarer].own(name).destination in model.chain(each.entity):
            row[column.name] = key[1]
            entity_column = layout.columns.get((declarer, name, "hidden entity"))
            if entity_column:
                row[entity_column.name] = layout.numbers.get(key[0])
    connection.execute("INSERT INTO %s (%s) VALUES (%s)" % (
        layout.table(each.entity), ", ".join(row), ", ".join("?" * len(row))), list(row.values()))


def store_link(layout, each, row, name, link):
    column = layout.column(each.entity, name, "key")
    if column is None or link is None or link[0] not in layout.numbers:
        return
    row[column.name] = link[1]
    entity_column = layout.column(each.entity, name, "entity")
    if entity_column:
        row[entity_column.name] = layout.numbers[link[0]]
    order_column = layout.column(each.entity, name, "order")
    if order_column:
        row[order_column.name] = each.orders.get(name, 2048)


def store_joins(connection, layout, content):
    for join in layout.joins:
        side = join.master
        rows = content.joins.get((side.declarer, side.property), [])
        swapped = content.joins.get((join.partner.declarer, join.partner.property), [])
        if join.partner != join.master:
            rows = rows + [(member, owner, back, there) for owner, member, there, back in swapped]
        for owner, member, there, back in rows:
            row = {side.owners: owner, side.members: member}
            if side.order:
                row[side.order] = there
            if join.partner.order and join.partner != side:
                row[join.partner.order] = back
            connection.execute("INSERT OR IGNORE INTO %s (%s) VALUES (%s)" % (
                join.table, ", ".join(row), ", ".join("?" * len(row))), list(row.values()))


def store_history(connection, layout, content):
    model = layout.model
    for statement in history.create_tables(model):
        connection.execute(statement)
    connection.execute("INSERT INTO ATRANSACTIONSTRING VALUES (1, 16003, 1, 'app'), "
                       "(2, 16003, 1, 'ui')")
    for number in range(1, content.transactions + 1):
        connection.execute("INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZBUNDLEIDTS, ZAUTHORTS, "
                           "ZTIMESTAMP) VALUES (?, 16002, 1, 1, ?, ?)",
                           (number, 2 if number % 3 == 0 else None, 7e8 + number / 8))
    for key, change in enumerate(content.changes, 1):
        if change.entity not in layout.numbers:
            continue
        row = {"Z_PK": key, "Z_ENT": 16001, "Z_OPT": 1, "ZCHANGETYPE": change.kind,
               "ZENTITY": layout.numbers[change.entity], "ZENTITYPK": change.key,
               "ZTRANSACTIONID": change.transaction}
        if change.kind == history.UPDATED and history.bits(layout, change.entity):
            row["ZCOLUMNS"] = history.pack(history.bits(layout, change.entity), change.bits)
        if change.kind == history.DELETED:
            for slot, name in enumerate(history.tombstone_names(model, change.entity)):
                row["ZTOMBSTONE%d" % slot] = change.tombstones.get(name)
        connection.execute("INSERT INTO ACHANGE (%s) VALUES (%s)" % (
            ", ".join(row), ", ".join("?" * len(row))), list(row.values()))
    for statement in history.create_indexes().values():
        connection.execute(statement)


def store_primary_keys(connection, layout, content):
    model = layout.model
    for entity, number in layout.numbers.items():
        parent = model.entities[entity].parent
        highest = 0
        if not parent:
            query = "SELECT IFNULL(MAX(Z_PK), 0) FROM " + layout.table(entity)
            highest = connection.execute(query).fetchone()[0] + content.spare
        connection.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, ?, ?)", (
            number, entity, layout.numbers[parent] if parent else 0, highest))
    if content.has_history:
        for name, number in history.NUMBERS.items():
            highest = connection.execute("SELECT IFNULL(MAX(Z_PK), 0) FROM A" + name).fetchone()
            connection.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)",
                               (number, name, highest[0]))


def write_files(path, files):
    if files:
        stem = os.path.splitext(os.path.basename(path))[0]
        folder = os.path.join(os.path.dirname(path), ".%s_SUPPORT" % stem, "_EXTERNAL_DATA")
        os.makedirs(folder)
        for name, data in files.items():
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)


def write_store(path, model, content):
    layout = Layout(model)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA auto_vacuum = 2")
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("BEGIN")
    for statement in layout.create_tables() + list(FIXED_TABLES.values()):
        connection.execute(statement)
    for each in content.objects:
        store_object(connection, layout, each)
    store_joins(connection, layout, content)
    derived.fill_derived(connection, layout)
    if content.has_history:
        store_history(connection, layout, content)
    for statement in indexes.create_indexes(layout).values():
        connection.execute(statement)
    store_primary_keys(connection, layout, content)
    if content.has_mirror:
        write_mirror(connection, layout, content)
    keys = {"NSStoreType": "SQLite", "NSStoreModelVersionHashesVersion": 3,
            "NSPersistenceFrameworkVersion": content.framework, "_NSAutoVacuumLevel": "2"}
    if content.framework >= 1522:
        keys["NSPersistenceMaximumFrameworkVersion"] = content.framework
    keys.update(model_metadata(model, content.framework))
    keys.update(content.metadata)
    connection.execute("INSERT INTO Z_METADATA VALUES (1, ?, ?)", (
        content.uuid, plistlib.dumps(keys, fmt=plistlib.FMT_BINARY)))
    for statement in derived.create_triggers(layout).values():
        if statement:
            connection.execute(statement)
    connection.execute("COMMIT")
    write_files(path, content.files)
    if content.wal:
        leave_in_wal(connection, path)
    connection.close()


def leave_in_wal(connection, path):
    """Puts a change into the -wal and leaves it there, as an application that was ended does."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    for (table,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE name LIKE 'Z%' AND type = 'table' "
            "AND substr(name, 2, 1) <> '_' AND sql LIKE '%Z_OPT%'").fetchall():
        try:
            connection.execute("UPDATE %s SET Z_OPT = Z_OPT + 1" % table)
        except sqlite3.OperationalError:
            continue  # a trigger of a derived attribute, whose functions only Core Data has
    for end in ("", "-wal"):
        with open(path + end, "rb") as file:
            data = file.read()
        with open(path + end + ".kept", "wb") as file:
            file.write(data)
    connection.close()
    for end in ("", "-wal"):
        os.replace(path + end + ".kept", path + end)
