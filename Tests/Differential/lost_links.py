"""Links to objects that are not there any more: Core Data leaves them, the command takes them away."""

from derived import derived_attributes, fill_derived


def note_lost_links(migration):
    """Both are right: an empty cell or a missing row of a join table, and what Core Data leaves."""
    for column in migration.new.columns.values():
        if column.role in ("key", "hidden"):
            note_cells(migration, column)
    for join in migration.new.joins:
        note_rows(migration, join)


def note_derived(migration):
    """Where links may be missing, so may what is derived from them."""
    if not migration.lost_rows:
        return
    with_links = derived_values(migration)
    migration.destination.execute("SAVEPOINT without")
    for join in migration.new.joins:
        names = sorted((join.master.owners, join.master.members))
        for table, keys in migration.lost_rows:
            if table == join.table:
                migration.destination.execute("DELETE FROM %s WHERE %s = ? AND %s = ?" % (
                    table, *names), keys)
    fill_derived(migration.destination, migration.new)
    for cell, value in derived_values(migration).items():
        if value != with_links[cell]:
            migration.also.setdefault(cell, []).append(value)
    migration.destination.execute("ROLLBACK TO without")


def derived_values(migration):
    values = {}
    for entity, attribute in derived_attributes(migration.new):
        table = migration.new.table(entity)
        column = migration.new.columns[entity, attribute.name, "attribute"].name
        for key, value in migration.destination.execute(
                "SELECT Z_PK, %s FROM %s" % (column, table)):
            values[table, key, column] = value
    return values


def present(migration, entity):
    family = [migration.new.numbers[name] for name in migration.new.model.family(entity)]
    rows = migration.destination.execute("SELECT Z_PK FROM %s WHERE Z_ENT IN (%s)" % (
        migration.new.table(entity), ", ".join(map(str, family))))
    return {key for (key,) in rows}


def note_cells(migration, column):
    found = migration.new.model.entities[column.declarer].own(column.property)
    hidden = column.role == "hidden"
    holder, other = (found.destination, column.declarer) if hidden else (
        column.declarer, found.destination)
    there = present(migration, other)
    prefix = "hidden " if hidden else ""
    columns = [column] + [migration.new.columns[column.declarer, column.property, prefix + role]
                          for role in ("entity", "order")
                          if (column.declarer, column.property, prefix + role)
                          in migration.new.columns]
    table = migration.new.table(holder)
    for key, value in migration.destination.execute(
            "SELECT Z_PK, %s FROM %s WHERE %s NOT NULL" % (column.name, table, column.name)):
        if value not in there:
            for each in columns:
                migration.also.setdefault((table, key, each.name), []).append(None)


def note_rows(migration, join):
    owners = present(migration, join.master.declarer)
    members = present(migration, join.partner.declarer)
    names = sorted((join.master.owners, join.master.members))
    for row in migration.destination.execute("SELECT %s, %s FROM %s" % (
            join.master.owners, join.master.members, join.table)):
        if row[0] not in owners or row[1] not in members:
            cells = dict(zip((join.master.owners, join.master.members), row))
            migration.lost_rows.add((join.table, tuple(cells[name] for name in names)))
