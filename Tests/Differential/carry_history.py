"""What happens to persistent history in a migration."""

import history


def carry_history(migration):
    """Copies the history tables; the marker of the migration itself is not written here."""
    if not has_history(migration.source):
        return
    model = migration.new.model
    for statement in history.create_tables(model):
        migration.destination.execute(statement)
    for statement in history.create_indexes().values():
        migration.destination.execute(statement)
    for table in ("ATRANSACTION", "ATRANSACTIONSTRING"):
        for row in rows(migration.source, table):
            migration.insert(table, row)
    slots = ["ZTOMBSTONE%d" % n for n in range(history.tombstone_count(model))]
    for row in rows(migration.source, "ACHANGE"):
        carry_change(migration, row, slots)
    for name, number in history.NUMBERS.items():
        highest = migration.destination.execute("SELECT IFNULL(MAX(Z_PK), 0) FROM A" + name)
        migration.destination.execute("INSERT INTO Z_PRIMARYKEY VALUES (?, ?, 0, ?)", (
            number, name, highest.fetchone()[0]))


def has_history(connection):
    return connection.execute(
        "SELECT 1 FROM sqlite_master WHERE name = 'ATRANSACTION'").fetchone() is not None


def rows(connection, table):
    cursor = connection.execute("SELECT * FROM %s ORDER BY Z_PK" % table)
    names = [each[0] for each in cursor.description]
    return [dict(zip(names, values)) for values in cursor]


def carry_change(migration, row, slots):
    old_names = {number: name for name, number in migration.old.numbers.items()}
    old_name = old_names.get(row["ZENTITY"])
    new_name = migration.mapping.target(old_name) if old_name else None
    if new_name is None:
        migration.met["history: change of a removed entity goes"] += 1
        return
    made = {name: value for name, value in row.items() if not name.startswith("ZTOMBSTONE")}
    made["ZENTITY"] = migration.new.numbers[new_name]
    migration.met["history: change kept"] += 1
    renamed = migration.mapping.renamed(new_name)
    if row["ZCHANGETYPE"] == history.UPDATED and row["ZCOLUMNS"] is not None:
        made["ZCOLUMNS"] = carry_bitmap(migration, row, old_name, new_name, renamed)
    if row["ZCHANGETYPE"] == history.DELETED:
        values = carry_tombstones(migration, row, old_name, new_name, renamed)
        made.update(zip(slots, values))
    migration.insert("ACHANGE", made)


def carry_bitmap(migration, row, old_name, new_name, renamed):
    """By name; a renamed property's bit may go or follow the new name, both are right."""
    old_bits = history.bits(migration.old, old_name)
    new_bits = history.bits(migration.new, new_name)
    chosen = history.unpack(old_bits, row["ZCOLUMNS"])
    by_name = history.carry_bits(chosen, new_bits, {})
    following = history.carry_bits(chosen, new_bits, renamed)
    migration.met["history: bitmap %s" % ("kept" if old_bits == new_bits else "remade")] += 1
    if not new_bits:
        # An empty bitmap and none at all say the same.
        migration.also[("ACHANGE", row["Z_PK"], "ZCOLUMNS")] = [None]
    first, second = history.pack(new_bits, by_name), history.pack(new_bits, following)
    also = migration.also.setdefault(("ACHANGE", row["Z_PK"], "ZCOLUMNS"), [])
    if first != second:
        also.append(second)
    if migration.mapping.is_copy(new_name):
        # Read literally, bitmaps of copied entities stay even where an entity key came between.
        also.append(row["ZCOLUMNS"])
    return first


def carry_tombstones(migration, row, old_name, new_name, renamed):
    old_slots = history.tombstone_names(migration.old.model, old_name)
    new_slots = history.tombstone_names(migration.new.model, new_name)
    if old_slots != new_slots:
        migration.met["history: tombstones moved"] += 1
    held = {name: row.get("ZTOMBSTONE%d" % n) for n, name in enumerate(old_slots)}
    following = {renamed.get(name, name): value for name, value in held.items()}
    for n, name in enumerate(new_slots):
        if following.get(name) != held.get(name):
            migration.also.setdefault(("ACHANGE", row["Z_PK"], "ZTOMBSTONE%d" % n), []).append(
                following.get(name))
    return [held.get(name) for name in new_slots]
