"""What happens to to-ones, hidden keys and many-to-manys in an inferred migration."""


class LinkSource:
    """Where a new key column gets its values: columns of the old table, or none at all."""

    def __init__(self, layout, declarer, name, hidden=False):
        prefix = "hidden" if hidden else "key"
        self.key = self.name(layout, declarer, name, prefix)
        self.entity = self.name(layout, declarer, name, "hidden entity" if hidden else "entity")
        self.order = self.name(layout, declarer, name, "hidden order" if hidden else "order")

    @staticmethod
    def name(layout, declarer, name, role):
        column = layout.columns.get((declarer, name, role))
        return column.name if column else None


def link_source(migration, entity, relationship):
    """The source of a to-one, or None for a new one that stays empty."""
    mapping = migration.mapping
    found = mapping.source(entity, relationship.name)
    if found is not None:
        migration.met["to-one kept"] += 1
        return LinkSource(migration.old, found[0], found[1].name)
    inverse = mapping.inverse_source(entity, relationship)
    if inverse is not None and migration.old.model.is_one_way(inverse[1]):
        migration.met["new to-one takes the hidden key of a one-way to-many"] += 1
        return LinkSource(migration.old, inverse[0], inverse[1].name, hidden=True)
    migration.met["new to-one is NULL"] += 1
    return None


def hidden_source(migration, declarer, name):
    """The source of a hidden key: the hidden key before, or the key of the lost inverse."""
    found = migration.mapping.source(declarer, name)
    if found is None or not found[1].to_many:
        return None
    old = migration.old.model
    if old.is_one_way(found[1]):
        migration.met["hidden key kept"] += 1
        return LinkSource(migration.old, found[0], found[1].name, hidden=True)
    other = old.inverse(*found)
    if other[1].to_many:
        return None
    migration.met["hidden key takes the key of a removed to-one"] += 1
    return LinkSource(migration.old, other[0], other[1].name)


def carry_links(migration):
    for entity, source_entity in migration.mapping.entities.items():
        if source_entity is None:
            continue
        wanted = []
        for declarer, each in migration.new.model.relationships(entity):
            if not each.to_many and not each.transient:
                columns = LinkSource(migration.new, declarer, each.name)
                wanted.append((columns, link_source(migration, entity, each), each.destination))
        for level in migration.new.model.chain(entity):
            for hidden in migration.new.hidden_columns(level):
                if hidden.role == "hidden":
                    columns = LinkSource(migration.new, hidden.declarer, hidden.property, True)
                    source = hidden_source(migration, hidden.declarer, hidden.property)
                    wanted.append((columns, source, hidden.declarer))
        for columns, source, destination in wanted:
            if source is not None and source.key is not None:
                carry_link(migration, entity, columns, source, destination)


def carry_link(migration, entity, columns, source, destination):
    table = migration.new.table(entity)
    for row in migration.source_rows(migration.mapping.entities[entity]):
        key = row.get(source.key)
        made = {columns.key: key}
        if columns.entity:
            made[columns.entity] = entity_number(migration, row, source, destination)
            if key is None:
                migration.free.add((table, row["Z_PK"], columns.entity))
        if columns.order:
            # An inverse that becomes ordered is filled with the foreign key itself.
            made[columns.order] = row.get(source.order) if source.order else key
            migration.met["to-one: order %s" % ("kept" if source.order else "gained")] += 1
        assignments = ", ".join("%s = ?" % name for name in made)
        migration.destination.execute("UPDATE %s SET %s WHERE Z_PK = ?" % (table, assignments),
                                      list(made.values()) + [row["Z_PK"]])


def entity_number(migration, row, source, destination):
    """The entity column of a key: renumbered, or looked up where there was none before."""
    if source.entity:
        number = row[source.entity]
        if number is not None and number not in migration.numbers:
            migration.met["link to an object of a removed entity"] += 1
        return migration.numbers.get(number, number)
    if row[source.key] is None:
        return None
    migration.met["destination gained sub-entities"] += 1
    found = migration.destination.execute("SELECT Z_ENT FROM %s WHERE Z_PK = ?" % (
        migration.new.table(destination)), (row[source.key],)).fetchone()
    return found[0] if found else migration.new.numbers[destination]


def carry_joins(migration):
    for join in migration.new.joins:
        found = migration.mapping.source(join.master.declarer, join.master.property)
        if found is None:
            migration.met["join table: new and empty"] += 1
            rows = allowed(migration, join, raised_rows(migration, join))
        elif migration.old.model.is_one_way(found[1]):
            rows = allowed(migration, join, hidden_rows(migration, found, join))
        else:
            rows = carried_rows(migration, join, found)
        for row in rows:
            migration.insert(join.table, row)


def allowed(migration, join, rows):
    """Rows of which no fact says whether Core Data writes them: they may be missing."""
    rows = list(rows)
    names = sorted((join.master.owners, join.master.members))
    for row in rows:
        key = tuple(row[name] for name in names)
        migration.lost_rows.add((join.table, key))
        migration.free.update((join.table, key, name) for name in join.columns)
    return rows


def hidden_rows(migration, found, join):
    """Links of a to-many that had no inverse, from the hidden key of each member."""
    declarer, relationship = found
    column = migration.old.columns[declarer, relationship.name, "hidden"].name
    for entity in migration.old.model.family(relationship.destination):
        for row in migration.source_rows(entity):
            if row[column] is not None:
                yield {join.master.owners: row[column], join.master.members: row["Z_PK"]}


def raised_rows(migration, join):
    """Links that only sub-entities had before; no fact says whether Core Data carries them."""
    declarer, name = join.master.declarer, join.master.property
    children = migration.new.model.family(declarer)[1:]
    carried = []
    for found in (migration.mapping.source(child, name) for child in children):
        if found is not None and found not in carried:
            carried.append(found)
            yield from carried_rows(migration, join, found)


def carried_rows(migration, join, found):
    old = migration.old.model
    if old.is_many_to_many(*found):
        return joined_rows(migration, join, found)
    if not found[1].to_many:
        migration.met["join table: made of a to-one"] += 1
        return linked_rows(migration, join, found, inverted=False)
    if old.is_one_way(found[1]):
        return hidden_rows(migration, found, join)
    migration.met["join table: made of a one-to-many"] += 1
    return linked_rows(migration, join, old.inverse(*found), inverted=True)


def joined_rows(migration, join, found):
    """Rows of an old join table; a gained order is filled with the key column next to it."""
    old_join, side = migration.old.join(found[0], found[1].name)
    other = old_join.partner if side is old_join.master else old_join.master
    count_join(migration.met, join, old_join, side)
    cursor = migration.source.execute("SELECT * FROM " + old_join.table)
    names = [each[0] for each in cursor.description]
    for values in cursor:
        row = dict(zip(names, values))
        made = {join.master.owners: row[side.owners], join.master.members: row[side.members]}
        for new_side, old_side in ((join.master, side), (join.partner, other)):
            if new_side.order and new_side.order not in made:
                own_key = row[old_side.members]
                made[new_side.order] = row[old_side.order] if old_side.order else own_key
        yield made


def count_join(met, join, old_join, side):
    met["join table: %s" % ("kept" if join == old_join else "renamed")] += 1
    met["join table: master changed"] += side is not old_join.master
    pairs = ((join.master.order, side.order), (join.partner.order, (
        old_join.partner if side is old_join.master else old_join.master).order))
    met["join table: order gained"] += any(new and not old for new, old in pairs)
    met["join table: order lost"] += any(old and not new for new, old in pairs)


def linked_rows(migration, join, to_one, inverted):
    """Join rows of an old to-one; inverted where it is the partner's and not the master's."""
    declarer, relationship = to_one
    source = LinkSource(migration.old, declarer, relationship.name)
    mine, other = (join.partner, join.master) if inverted else (join.master, join.partner)
    removed = {migration.old.numbers[name] for name in migration.mapping.removed}
    targets = dict(migration.source.execute("SELECT Z_PK, Z_ENT FROM %s" % (
        migration.old.table(relationship.destination))))
    for entity in migration.old.model.family(declarer):
        for row in migration.source_rows(entity):
            key = row[source.key]
            if key is None or row["Z_ENT"] in removed or targets.get(key) in removed:
                continue
            made = {mine.owners: row["Z_PK"], mine.members: key}
            if other.order:
                order = row[source.order] if source.order else None
                made[other.order] = row["Z_PK"] if order is None else order
            if mine.order:
                made[mine.order] = 2000
            yield made
