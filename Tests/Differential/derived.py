"""Derived attributes: how their values are computed, and the triggers that keep them.

Of the triggers the names are known for all kinds, the whole text for a count over a one-to-many
of a root entity alone; the others' text is None and is not compared.
"""


class Derivation:
    """What a derivation expression leads to."""

    def __init__(self, layout, entity, attribute):
        model = layout.model
        self.counts = attribute.derivation.endswith(".@count")
        first, _, self.last = attribute.derivation.partition(".")
        self.declarer, self.relationship = model.find(entity, first)
        self.destination = self.relationship.destination


def derived_attributes(layout):
    for entity in layout.model.entities.values():
        for attribute in entity.attributes:
            if attribute.derivation and attribute.stored:
                yield entity.name, attribute


def value_query(layout, entity, attribute):
    """The value of the object `own`, as a scalar query."""
    way = Derivation(layout, entity, attribute)
    name = way.relationship.name
    if not way.counts:
        key = layout.columns[way.declarer, name, "key"].name
        value = layout.column(way.destination, way.last, "attribute").name
        return "(SELECT d.%s FROM %s d WHERE d.Z_PK = own.%s)" % (
            value, layout.table(way.destination), key)
    joined = layout.join(way.declarer, name)
    if joined:
        join, side = joined
        return "(SELECT COUNT(*) FROM %s j WHERE j.%s = own.Z_PK)" % (join.table, side.owners)
    table, key = many_key(layout, way)
    return "(SELECT COUNT(*) FROM %s m WHERE m.%s = own.Z_PK)" % (table, key)


def many_key(layout, way):
    """The table and the key column of a one-to-many."""
    if way.relationship.inverse is None:
        column = layout.columns[way.declarer, way.relationship.name, "hidden"]
    else:
        column = layout.column(way.destination, way.relationship.inverse, "key")
    return layout.table(way.destination), column.name


def fill_derived(connection, layout):
    """Computes every derived attribute of every object again."""
    for entity, attribute in derived_attributes(layout):
        column = layout.columns[entity, attribute.name, "attribute"].name
        numbers = [layout.numbers[name] for name in layout.model.family(entity)]
        connection.execute("UPDATE %s AS own SET %s = %s WHERE Z_ENT IN (%s)" % (
            layout.table(entity), column, value_query(layout, entity, attribute),
            ", ".join(map(str, numbers))))


def create_triggers(layout):
    """Trigger names and their statements, or None where the text is not known."""
    made = {}
    for entity, attribute in derived_attributes(layout):
        way = Derivation(layout, entity, attribute)
        tail = "_%s_%s_" % (entity, attribute.name)
        own = "Z_DA_" + layout.table(entity) + tail
        joined = layout.join(way.declarer, way.relationship.name)
        if not way.counts:
            other = "Z_DA_" + layout.table(way.destination) + tail
            made.update(dict.fromkeys([own + "SOURCE_INSERT", own + "SOURCE_UPDATE",
                                       other + "PARAMETER_INSERT", other + "PARAMETER_UPDATE"]))
        elif joined:
            other = "Z_DA_" + joined[0].table + tail
            made.update(dict.fromkeys([other + "PARAMETER_INSERT", other + "PARAMETER_DELETE",
                                       own + "SOURCE_INSERT"]))
        else:
            made.update(count_triggers(layout, entity, attribute, way))
    return made


def count_triggers(layout, entity, attribute, way):
    many, key = many_key(layout, way)
    own = layout.table(entity)
    column = layout.columns[entity, attribute.name, "attribute"].name
    names = ["Z_DA_%s_%s_%s_%s" % (many, entity, attribute.name, end) for end in (
        "PARAMETER_INSERT", "PARAMETER_UPDATE_INCREMENT", "PARAMETER_UPDATE_DECREMENT",
        "PARAMETER_DELETE")]
    names.append("Z_DA_%s_%s_%s_SOURCE_INSERT" % (own, entity, attribute.name))
    if layout.model.entities[entity].parent or way.relationship.inverse is None:
        return dict.fromkeys(names)
    moments = ["INSERT ON " + many, "UPDATE OF %s ON %s" % (key, many),
               "UPDATE OF %s ON %s" % (key, many), "DELETE ON " + many, "INSERT ON " + own]
    made = {}
    for number, (name, moment) in enumerate(zip(names, moments)):
        row = "OLD" if number in (2, 3) else "NEW"
        target = "NEW.Z_PK" if number == 4 else "%s.%s" % (row, key)
        change = ["IFNULL(%s, 0) + 1", "%s + 1", "%s - 1", "%s - 1",
                  "(SELECT IFNULL(COUNT(" + key + "), 0) FROM " + many
                  + " WHERE " + key + " = NEW.Z_PK)"][number]
        value = change % column if number < 4 else change
        when = "" if number == 4 else "WHEN (%s.%s NOT NULL) " % (row, key)
        call = "NSCoreDataDATrigger%sUpdatedAffectedObjectValue" % (
            "Insert" if number == 4 else "")
        made[name] = (
            "CREATE TRIGGER {name} AFTER {moment} FOR EACH ROW {when}BEGIN UPDATE {own} SET "
            "{column} = {value} WHERE Z_PK = {target}; SELECT {call}('{own}', Z_ENT, Z_PK, "
            "'{attribute}', {column}) FROM {own} WHERE Z_PK = {target}; END").format(
                name=name, moment=moment, when=when, own=own, column=column, value=value,
                target=target, call=call, attribute=attribute.name)
    return made
