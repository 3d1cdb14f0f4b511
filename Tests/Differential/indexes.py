"""The indexes and triggers that a fresh store has, with the names of frameworks from 847 on."""


def create_indexes(layout):
    """Index names and the statements that make them."""
    made = {}
    for root in layout.model.roots():
        made.update(key_indexes(layout, root))
        for entity in layout.model.family(root):
            made.update(fetch_indexes(layout, entity))
            made.update(unique_indexes(layout, entity))
    for join in layout.joins:
        made.update(join_indexes(layout, join))
    return made


def plain(name, table, columns):
    return {name: "CREATE INDEX %s ON %s (%s)" % (name, table, ", ".join(columns))}


def key_indexes(layout, root):
    made, table = {}, layout.table(root)
    for column in layout.table_columns(root):
        if column.role in ("key", "hidden"):
            made.update(plain("%s_%s_INDEX" % (table, column.name), table, [column.name]))
    omitted = layout.model.entities[root].user_info.get("_NSEntityOmitSubentityColumnIndex", "")
    if layout.has_children(root) and omitted.upper() not in ("YES", "1"):
        made.update(plain(table + "_Z_ENT_INDEX", table, ["Z_ENT"]))
    return made


def element_column(layout, entity, name):
    """The column of an index element; None for what is skipped."""
    if name in ("self", "entity"):
        return {"self": "Z_PK", "entity": "Z_ENT"}[name]
    column = layout.column(entity, name, "attribute") or layout.column(entity, name, "key")
    return column.name if column else None


def ordered_parts(layout, entity, elements):
    columns = [(element_column(layout, entity, name), up) for name, up in elements]
    return ["%s COLLATE BINARY %s" % (c, "ASC" if up else "DESC") for c, up in columns if c]


def fetch_indexes(layout, entity):
    described, made = layout.model.entities[entity], {}
    wanted = [(index.name, index.elements) for index in described.indexes]
    if not any(e.indexes for e in layout.model.entities.values()):
        # Old flags are turned into fetch indexes where a model has none of its own.
        wanted += [(a.name, [(a.name, True)]) for a in described.attributes if a.indexed]
        wanted += [("_".join(names), [(n, True) for n in names]) for names in described.compound]
    for name, elements in wanted:
        found = layout.model.find(entity, elements[0][0])
        alone = len(elements) == 1 and found and hasattr(found[1], "destination")
        parts = ordered_parts(layout, entity, elements)
        if alone or not parts:
            continue
        full = "Z_%s_%s" % (entity, name)
        made.update(plain(full, layout.table(entity), parts))
    return made


def unsettled_indexes(layout):
    """`Z_<Entity>_<attribute>` in addition to a fetch index of that one attribute and another name.

    The count over many stores says that a fresh store never has it; four stores of the corpus
    that were never migrated have it. Either is right.
    """
    made = {}
    for entity in layout.model.entities.values():
        for index in entity.indexes:
            name = index.elements[0][0]
            if len(index.elements) == 1 and layout.column(entity.name, name, "attribute"):
                full = "Z_%s_%s" % (entity.name, name)
                parts = ordered_parts(layout, entity.name, [(name, True)])
                made.update(plain(full, layout.table(entity.name), parts))
    return made


def unique_indexes(layout, entity):
    made = {}
    for names in layout.model.entities[entity].unique:
        full = "Z_%s_UNIQUE_%s" % (entity, "_".join(names))
        parts = ordered_parts(layout, entity, [(name, True) for name in names])
        made[full] = "CREATE UNIQUE INDEX %s ON %s (%s)" % (
            full, layout.table(entity), ", ".join(parts))
    return made


def join_indexes(layout, join):
    first, second = join.columns[:2]
    table = join.table
    made = plain("%s_%s_INDEX" % (table, second), table, [second, first])
    partner = layout.model.entities[join.partner.declarer].own(join.partner.property)
    if partner.ordered and join.partner != join.master:
        # "The order of the second side" is taken for the column that orders second column's
        # objects where there is one, and for the only order column otherwise.
        order = join.master.order or join.partner.order
        made.update(plain("%s_%s_%s_%s_INDEX" % (table, first, second, order), table,
                          [first, second, order]))
        made.update(plain("%s_%s_%s_%s_INDEX" % (table, first, order, second), table,
                          [first, order, second]))
    return made
