"""The checks that Core Data makes after the copy; each failure is 134110."""

from infer import Refused, kind

ATTRIBUTE = "Validation error missing attribute values on mandatory destination attribute"
TO_ONE = "Validation error missing attribute values on mandatory destination relationship"
TO_MANY = "Validation error missing relationship values on mandatory destination destination"


def is_mandatory(relationship):
    if relationship is None:
        return False
    return relationship.min_count > 0 if relationship.to_many else not relationship.optional


def check_mandatory(migration):
    for entity, source in migration.mapping.entities.items():
        if source is None:
            continue
        for _, attribute in migration.new.model.attributes(entity):
            if attribute.stored and kind(attribute) == "attribute":
                check_attribute(migration, entity, attribute)
        for declarer, relationship in migration.new.model.relationships(entity):
            found = migration.mapping.properties.get((entity, relationship.name))
            if is_mandatory(relationship) and not is_mandatory(found):
                check_relationship(migration, entity, declarer, relationship)


def refuse_rows(migration, entity, condition, reason, name):
    """Refuses when a row of exactly this entity meets the condition."""
    query = "SELECT 1 FROM %s own WHERE Z_ENT = ? AND %s LIMIT 1" % (
        migration.new.table(entity), condition)
    found = migration.destination.execute(query, (migration.new.numbers[entity],)).fetchone()
    migration.met["checked after the copy: %s" % ("fails" if found else "passes")] += 1
    if found:
        raise Refused(134110, reason, "%s.%s" % (entity, name))


def check_attribute(migration, entity, attribute):
    found = migration.mapping.properties.get((entity, attribute.name))
    if attribute.optional or found is not None and not found.optional:
        return
    if attribute.default is None:
        column = migration.new.column(entity, attribute.name, "attribute").name
        refuse_rows(migration, entity, column + " IS NULL", ATTRIBUTE, attribute.name)


def check_relationship(migration, entity, declarer, relationship):
    layout, name = migration.new, relationship.name
    if not relationship.to_many:
        column = layout.columns[declarer, name, "key"].name
        refuse_rows(migration, entity, column + " IS NULL", TO_ONE, name)
        return
    joined = layout.join(declarer, name)
    if joined:
        table, column = joined[0].table, joined[1].owners
    elif relationship.inverse is None:
        table = layout.table(relationship.destination)
        column = layout.columns[declarer, name, "hidden"].name
    else:
        table = layout.table(relationship.destination)
        column = layout.column(relationship.destination, relationship.inverse, "key").name
    condition = "Z_PK NOT IN (SELECT %s FROM %s WHERE %s NOT NULL)" % (column, table, column)
    refuse_rows(migration, entity, condition, TO_MANY, name)
