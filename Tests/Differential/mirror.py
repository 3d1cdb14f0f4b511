"""What Core Data keeps of a store that is mirrored to CloudKit, and how a migration changes it.

The tables follow the documentation; only a few of the nineteen are here. Records know objects by the
number of the entity and by the key, pairs by names.
"""

from infer import Refused

CARRIED = "PFCloudKitMetadataNeedsZoneFetchAfterClientMigrationKey"
NUMBERS = {"NSCKHistoryAnalyzerState": 17006, "NSCKMirroredRelationship": 17010,
           "NSCKRecordMetadata": 17012}
KEYS = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
TABLES = {
    "ANSCKRECORDMETADATA": "CREATE TABLE ANSCKRECORDMETADATA ( %s, ZENTITYID INTEGER, "
                           "ZENTITYPK INTEGER, ZNEEDSUPLOAD INTEGER, ZCKRECORDNAME VARCHAR )",
    "ANSCKHISTORYANALYZERSTATE": "CREATE TABLE ANSCKHISTORYANALYZERSTATE ( %s, "
                                 "ZENTITYID INTEGER, ZENTITYPK INTEGER )",
    "ANSCKMIRROREDRELATIONSHIP": "CREATE TABLE ANSCKMIRROREDRELATIONSHIP ( %s, "
                                 "ZCDENTITYNAME VARCHAR, ZRELATEDENTITYNAME VARCHAR, "
                                 "ZRELATIONSHIPNAME VARCHAR )",
}
INDEXES = ["CREATE UNIQUE INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK ON "
           "ANSCKRECORDMETADATA (ZENTITYID COLLATE BINARY ASC, ZENTITYPK COLLATE BINARY ASC)"]


def make_mirror(random, model, content):
    """Records of some objects and of some that are gone, and the pairs of some relationships."""
    content.has_mirror = True
    concrete = [e.name for e in model.entities.values() if not e.abstract]
    records = {(o.entity, o.key) for o in content.objects if random.random() < 0.7}
    records |= {(random.choice(concrete), random.randrange(1000, 1010)) for _ in range(2)}
    content.records = sorted(records)
    content.analyzed = sorted(random.sample(content.records, len(content.records) // 3))
    content.pairs = sorted(
        (entity.name, each.destination, each.name) for entity in model.entities.values()
        for each in entity.relationships if model.is_many_to_many(entity.name, each))


def write_mirror(connection, layout, content):
    for statement in TABLES.values():
        connection.execute(statement % KEYS)
    known = [r for r in content.records if r[0] in layout.numbers]
    for key, (entity, object_key) in enumerate(known, 1):
        connection.execute("INSERT INTO ANSCKRECORDMETADATA VALUES (?, 17012, 1, ?, ?, 0, ?)", (
            key, layout.numbers[entity], object_key, "record %d" % key))
    analyzed = [r for r in content.analyzed if r[0] in layout.numbers]
    for key, (entity, object_key) in enumerate(analyzed, 1):
        connection.execute("INSERT INTO ANSCKHISTORYANALYZERSTATE VALUES (?, 17006, 1, ?, ?)", (
            key, layout.numbers[entity], object_key))
    for key, pair in enumerate(content.pairs, 1):
        connection.execute("INSERT INTO ANSCKMIRROREDRELATIONSHIP VALUES (?, 17010, 1, ?, ?, ?)",
                           (key,) + pair)
    for statement in INDEXES:
        connection.execute(statement)
    for name, number in NUMBERS.items():
        connection.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, 99)", (number, name))


def has_mirror(connection):
    return connection.execute(
        "SELECT 1 FROM sqlite_master WHERE name = 'ANSCKRECORDMETADATA'").fetchone() is not None


def refuse_renames(mapping):
    """Core Data refuses to rename anything in such a store."""
    for name, source in mapping.entities.items():
        if source is not None and source != name:
            raise Refused(134110, "CloudKit integration forbids renaming '%s' to '%s'." % (
                source, name))
    for (name, new), found in mapping.properties.items():
        if found is not None and found.name != new:
            raise Refused(134110, "Properties cannot be renamed in stores that are used with "
                                  "CloudKit. Cannot rename '%s' to '%s'." % (found.name, new))


def carry_mirror(migration):
    """The rows with new numbers; those of entities and pairs that end are left out."""
    for statement in TABLES.values():
        migration.destination.execute(statement % KEYS)
    for table in ("ANSCKRECORDMETADATA", "ANSCKHISTORYANALYZERSTATE"):
        for row in rows(migration.source, table):
            number = migration.numbers.get(row["ZENTITYID"])
            if number is None:
                migration.met["mirror: record of a removed entity goes"] += 1
                continue
            migration.met["mirror: record %s" % (
                "kept" if number == row["ZENTITYID"] else "renumbered")] += 1
            migration.insert(table, dict(row, ZENTITYID=number))
    for row in rows(migration.source, "ANSCKMIRROREDRELATIONSHIP"):
        if is_pair(migration, row):
            migration.insert("ANSCKMIRROREDRELATIONSHIP", row)
        else:
            migration.met["mirror: pair of a removed relationship left out"] += 1
    for statement in INDEXES:
        migration.destination.execute(statement)
    for name, number in NUMBERS.items():
        migration.insert("Z_PRIMARYKEY", {
            "Z_ENT": number, "Z_NAME": name, "Z_SUPER": 0, "Z_MAX": 99})


def is_pair(migration, row):
    """Whether the relationship is still one of many to many, of entities that are there."""
    model = migration.new.model
    entity, other, name = (row[c] for c in (
        "ZCDENTITYNAME", "ZRELATEDENTITYNAME", "ZRELATIONSHIPNAME"))
    if migration.mapping.target(entity) is None or migration.mapping.target(other) is None:
        return False
    found = model.find(entity, name)
    return bool(found) and hasattr(found[1], "destination") and model.is_many_to_many(*found)


def rows(connection, table):
    cursor = connection.execute("SELECT * FROM %s ORDER BY Z_PK" % table)
    names = [each[0] for each in cursor.description]
    return [dict(zip(names, values)) for values in cursor]
