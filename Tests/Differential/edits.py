"""Random changes of a model, as a developer makes them; each returns False where it found nothing.

What a change breaks elsewhere is tidied up afterwards.
"""

import generate
from composites import plain
from model import NUMBERS

TOMBSTONES = "NSPersistentHistoryTombstoneAttributes"


def some_entity(random, model, condition=lambda entity: True):
    found = [e for e in model.entities.values() if condition(e)]
    return random.choice(found) if found else None


def some_attribute(random, model, condition=lambda attribute: True):
    found = [(e, a) for e in model.entities.values() for a in plain(e) if condition(a)]
    return random.choice(found) if found else (None, None)


def some_relationship(random, model, condition=lambda entity, relationship: True):
    found = [(e, r) for e in model.entities.values() for r in e.relationships if condition(e, r)]
    return random.choice(found) if found else (None, None)


def choose_tombstones(random, model, entity, chance):
    names = [a.name for _, a in model.attributes(entity) if a.stored and not a.derivation]
    if names and random.random() < chance:
        chosen = random.sample(names, random.randrange(1, min(len(names), 3) + 1))
        model.entities[entity].user_info = {TOMBSTONES: ",".join(chosen)}


def rename_property(model, entity, each, name):
    """A new name, in everything that speaks of the property too."""
    old = each.name
    for level in model.family(entity.name):
        described = model.entities[level]
        described.unique = [[name if n == old else n for n in names] for names in described.unique]
        for index in described.indexes:
            index.elements = [(name if n == old else n, up) for n, up in index.elements]
        if TOMBSTONES in described.user_info:
            names = described.user_info[TOMBSTONES].split(",")
            described.user_info = {TOMBSTONES: ",".join(name if n == old else n for n in names)}
    rename_in_derivations(model, entity, each, name)
    if hasattr(each, "destination") and each.inverse:
        model.inverse(entity.name, each)[1].inverse = name
    each.name = name


def rename_in_derivations(model, entity, each, name):
    for other in model.entities.values():
        for attribute in other.attributes:
            if not attribute.derivation:
                continue
            first, _, last = attribute.derivation.partition(".")
            way = model.find(other.name, first)
            if way and way[1] is each:
                attribute.derivation = "%s.%s" % (name, last)
            elif way and hasattr(way[1], "destination"):
                end = model.find(way[1].destination, last)
                if end and end[1] is each:
                    attribute.derivation = "%s.%s" % (first, name)


# Attributes

def add_attribute(random, model):
    generate.add_attribute(random, model, some_entity(random, model).name)


def add_many_attributes(random, model):
    """So many that the hash table of the entity's keys becomes larger."""
    entity = some_entity(random, model).name
    for _ in range(random.randrange(4, 12)):
        generate.add_attribute(random, model, entity)


def remove_attribute(random, model):
    entity, attribute = some_attribute(random, model)
    if not entity:
        return False
    entity.attributes.remove(attribute)


def rename_attribute(random, model):
    entity, attribute = some_attribute(random, model, lambda a: not a.derivation)
    if not entity:
        return False
    key, name = attribute.key, generate.free_name(random, model, entity.name)
    rename_property(model, entity, attribute, name)
    if random.random() < 0.85:
        attribute.identifier = None if key == name else key
    else:
        attribute.identifier = None


def swap_attributes(random, model):
    entity = some_entity(random, model, lambda e: len(plain(e)) > 1)
    if not entity:
        return False
    first, second = random.sample(plain(entity), 2)
    if first.derivation or second.derivation:
        return False
    first_key, second_key = first.key, second.key
    first_name, second_name = first.name, second.name
    for each, name in ((first, "swapped"), (second, first_name), (first, second_name)):
        rename_property(model, entity, each, name)
    first.identifier, second.identifier = first_key, second_key


def change_case(random, model):
    """A name that gives the same column: only its case changes."""
    entity, attribute = some_attribute(random, model, lambda a: not a.derivation)
    if not entity or attribute.name.swapcase() == attribute.name:
        return False
    key = attribute.key
    rename_property(model, entity, attribute, attribute.name.swapcase())
    attribute.identifier = key


def use_identifier_as_name(random, model):
    """The identifier stands on the source side: its name becomes the property's."""
    entity, attribute = some_attribute(random, model, lambda a: a.identifier)
    if not entity:
        return False
    name = attribute.identifier
    attribute.identifier = None
    rename_property(model, entity, attribute, name)


def drop_identifier(random, model):
    _, attribute = some_attribute(random, model, lambda a: a.identifier)
    if not attribute:
        return False
    attribute.identifier = None


def change_number(random, model):
    numeric = NUMBERS + ("Boolean",)
    _, attribute = some_attribute(
        random, model, lambda a: a.type in numeric and not a.derivation)
    if not attribute:
        return False
    attribute.type = random.choice([t for t in numeric if t != attribute.type])
    if attribute.default and random.random() < 0.5:
        attribute.default = generate.default_of(random, attribute.type)


def change_type(random, model):
    _, attribute = some_attribute(random, model, lambda a: not a.derivation)
    if not attribute:
        return False
    attribute.type = random.choice(generate.TYPES)
    attribute.default, attribute.external = None, False


def change_optional(random, model):
    _, attribute = some_attribute(random, model, lambda a: not a.derivation)
    if not attribute:
        return False
    attribute.optional = not attribute.optional
    if not attribute.optional:
        attribute.default = random.choice((None, generate.default_of(random, attribute.type)))


def change_transient(random, model):
    _, attribute = some_attribute(random, model, lambda a: not a.derivation)
    if not attribute:
        return False
    attribute.transient = not attribute.transient
    attribute.preserved = False


def change_external(random, model):
    chance = random.random()
    _, attribute = some_attribute(random, model, lambda a: a.type == "Binary" and (
        chance < 0.2 or not a.external))
    if not attribute:
        return False
    attribute.external = not attribute.external


def change_default(random, model):
    _, attribute = some_attribute(random, model, lambda a: not a.derivation)
    if not attribute:
        return False
    attribute.default = generate.default_of(random, attribute.type)


def change_preserved(random, model):
    _, attribute = some_attribute(random, model, lambda a: not a.derivation and a.stored)
    if not attribute:
        return False
    attribute.preserved = not attribute.preserved


def change_modifier(random, model):
    entity = some_entity(random, model)
    random.choice([entity] + plain(entity)).modifier = "v%d" % random.randrange(9)


def raise_attribute(random, model):
    entity = some_entity(random, model, lambda e: e.parent and plain(e))
    if not entity:
        return False
    attribute = random.choice(plain(entity))
    if attribute.derivation:
        return False
    entity.attributes.remove(attribute)
    model.entities[entity.parent].attributes.append(attribute)


def double_key(random, model):
    entity = some_entity(random, model, lambda e: len(plain(e)) > 1)
    if not entity:
        return False
    first, second = random.sample(plain(entity), 2)
    first.identifier = second.key


def attribute_becomes_relationship(random, model):
    entity, attribute = some_attribute(random, model, lambda a: a.stored and not a.derivation)
    if not entity:
        return False
    entity.attributes.remove(attribute)
    made = generate.Relationship(attribute.name, random.choice(list(model.entities)))
    entity.relationships.append(made)


def attribute_becomes_derived(random, model):
    entity = some_entity(random, model, lambda e: plain(e) and e.relationships)
    if not entity:
        return False
    gone = random.choice(plain(entity))
    entity.attributes.remove(gone)
    made = generate.add_derived(random, model, entity.name)
    if made is None:
        return False
    made.name = gone.name


def add_derived(random, model):
    return generate.add_derived(random, model, some_entity(random, model).name) is not None


def add_unique(random, model):
    return generate.add_unique(random, model, some_entity(random, model).name)


def remove_unique(random, model):
    entity = some_entity(random, model, lambda e: e.unique)
    if not entity:
        return False
    entity.unique.pop()


def add_index(random, model):
    return generate.add_index(random, model, some_entity(random, model).name)


def remove_index(random, model):
    entity = some_entity(random, model, lambda e: e.indexes)
    if not entity:
        return False
    entity.indexes.pop()


def change_tombstones(random, model):
    choose_tombstones(random, model, some_entity(random, model).name, 1)


from edits_of_composites import COMPOSITE_EDITS  # noqa: E402
from edits_of_links import LINK_EDITS  # noqa: E402 (it needs the helpers above)
from edits_of_entities import DOUBLE_ENTITY, ENTITY_EDITS  # noqa: E402

CHOICES = [
    (add_attribute, 6), (add_many_attributes, 2), (remove_attribute, 5), (rename_attribute, 5),
    (swap_attributes, 2), (change_case, 1), (use_identifier_as_name, 1), (drop_identifier, 1),
    (change_number, 5), (change_type, 1), (change_optional, 4), (change_transient, 2),
    (change_external, 3), (change_default, 1), (change_preserved, 2), (change_modifier, 2),
    (raise_attribute, 2), (attribute_becomes_relationship, 1),
    (attribute_becomes_derived, 1), (add_derived, 3), (add_unique, 4), (remove_unique, 1),
    (add_index, 3), (remove_index, 2), (change_tombstones, 2),
] + LINK_EDITS + ENTITY_EDITS + COMPOSITE_EDITS
EDITS = [edit for edit, _ in CHOICES]
WEIGHTS = [weight for _, weight in CHOICES]
DOUBLING = (DOUBLE_ENTITY,)
