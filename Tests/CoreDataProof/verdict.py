"""Compares two results of one migration: version hashes, tables, and objects."""

import plistlib
import sqlite3
from contextlib import closing

import core_data
from derived import fill_derived
from hashes import model_hashes
from schema import Layout

HASHES = "NSStoreModelVersionHashes"
# Newer versions of Core Data write these; which do is no part of the migration.
DIGESTS = ("NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey")


def different_models(pair, compiled):
    """The entities whose version hashes in the compiled models are not those we compute."""
    found = []
    for version, model in ((pair.old, pair.case.old), (pair.new, pair.case.new)):
        found += ["%s, compiled: %s" % (version, each) for each in different_entities(
            compiled.get(version, {}), model_hashes(model))]
    return found


def different_entities(first, second):
    return ["version hash of %s" % name for name in sorted(set(first) | set(second))
            if first.get(name) != second.get(name)]


def different_hashes(apple, ours):
    first, second = metadata(apple), metadata(ours)
    found = different_entities(first[HASHES], second[HASHES])
    return found + [key for key in DIGESTS
                    if key in first and key in second and first[key] != second[key]]


def metadata(store):
    with closing(sqlite3.connect(store)) as connection:
        (blob,) = connection.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
        return plistlib.loads(blob)


def different_tables(apple, ours):
    """The tables of objects and links, with their columns; in which order is no difference."""
    first, second = columns(apple), columns(ours)
    return ["%s has the columns %s with Core Data, and %s with the command" % (
        table, first.get(table), second.get(table))
        for table in sorted(set(first) | set(second)) if first.get(table) != second.get(table)]


def columns(store):
    with closing(sqlite3.connect(store)) as connection:
        # Tables with another first letter belong to history; the cache needs a compiled model.
        tables = [name for (name,) in connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%'")
            if name != "Z_MODELCACHE"]
        return {table: sorted((name, kind) for _, name, kind, *_ in connection.execute(
            "PRAGMA table_info(\"%s\")" % table)) for table in tables}


def different_objects(pipeline, pair, apple, ours):
    answer = core_data.run(pipeline, "diff", apple, ours, "--models", pair.models,
                           "--color", "never")
    if answer.status == 0:
        return []
    return ["pipeline diff: status %d\n%s" % (answer.status, answer.said)]


def take_away_lost_links(store, model):
    """Takes away what the command takes away on purpose: links to objects that are gone.

    Returns their number. WhatCoreDataInfers.md says why.
    """
    with closing(sqlite3.connect(store)) as connection:
        # The triggers of derived attributes call functions that only Core Data has.
        for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute('DROP TRIGGER "%s"' % name)
        layout = Layout(model)
        lost = sum(lost_keys(connection, layout)) + sum(lost_pairs(connection, layout))
        if lost:
            fill_derived(connection, layout)
        connection.commit()
        return lost


def objects_of(layout, entity):
    """A query of the keys of an entity's objects."""
    numbers = ", ".join(str(layout.numbers[name]) for name in layout.model.family(entity))
    return "SELECT Z_PK FROM %s WHERE Z_ENT IN (%s)" % (layout.table(entity), numbers)


def lost_keys(connection, layout):
    for column in list(layout.columns.values()):
        if column.role not in ("key", "hidden"):
            continue
        found = layout.model.entities[column.declarer].own(column.property)
        hidden = column.role == "hidden"
        holder, other = (found.destination, column.declarer) if hidden else (
            column.declarer, found.destination)
        prefix = "hidden " if hidden else ""
        others = [layout.columns.get((column.declarer, column.property, prefix + role))
                  for role in ("entity", "order")]
        names = [column.name] + [each.name for each in others if each]
        yield connection.execute("UPDATE %s SET %s WHERE %s NOT NULL AND %s NOT IN (%s)" % (
            layout.table(holder), ", ".join(name + " = NULL" for name in names), column.name,
            column.name, objects_of(layout, other))).rowcount


def lost_pairs(connection, layout):
    for join in layout.joins:
        yield connection.execute("DELETE FROM %s WHERE %s NOT IN (%s) OR %s NOT IN (%s)" % (
            join.table, join.master.owners, objects_of(layout, join.master.declarer),
            join.master.members, objects_of(layout, join.partner.declarer))).rowcount
