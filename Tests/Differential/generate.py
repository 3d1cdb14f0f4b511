"""Random models, and cases of two or three versions with content; everything from one seed."""

import copy
import random as randomness
from dataclasses import dataclass

import edits
import edits_of_composites
from content import make_content
from hashes import model_hashes
from model import NUMBERS, Attribute, Entity, FetchIndex, Model, Relationship
from tidy import fault, tidy

ENTITY_NAMES = ("Album", "boat", "Car", "Diary", "Engine", "Folder", "garden", "House", "Item",
                "jar", "Key", "Lamp", "Memo", "note", "Order", "Photo", "Queue", "Road", "Ship",
                "Tag", "user", "Visit", "Wall", "Zebra")
PROPERTY_NAMES = ("name", "title", "url", "age", "count", "isOpen", "aB", "when", "code", "body",
                  "size", "weight", "price", "uuid", "parent", "children", "owner", "items",
                  "tags", "favorites", "folders", "next", "previous", "link", "peers", "data",
                  "aVeryLongAttributeNameForTheHash", "anotherVeryLongRelationshipName",
                  "members", "groups", "x", "y1", "zone", "kind", "rank", "state")
TYPES = ("Integer 16", "Integer 32", "Integer 64", "Decimal", "Double", "Float", "String",
         "String", "Boolean", "Date", "Binary", "UUID", "URI", "Transformable")
SHAPES = ("one to many", "one to many", "one to one", "many to many", "many to many",
          "self many to many", "own inverse", "one way to one", "one way to many",
          "self one to many")


@dataclass
class Case:
    seed: int
    number: int
    models: list
    content: object

    @property
    def old(self):
        return self.models[0]

    @property
    def new(self):
        return self.models[-1]


def free_name(random, model, entity, names=PROPERTY_NAMES):
    """A name that nothing above or below the entity has; siblings may have the same."""
    related = set(model.chain(entity)) | set(model.family(entity))
    taken = {p.name.partition(".")[0].lower() for each in related for p in
             model.entities[each].attributes + model.entities[each].relationships}
    free = [n for n in names if n.lower() not in taken]
    return random.choice(free) if free else "extra%d" % random.randrange(10 ** 6)


def default_of(random, type):
    if type in NUMBERS:
        choices = ["0", "7", "NO", "-3"] + (["2.5"] if type in NUMBERS[3:] else [])
        return random.choice(choices)
    if type == "Date":
        return random.choice(("0", "600000000", "0.5"))
    return {"Boolean": random.choice(("YES", "NO", "1", "0")), "String": "some text"}.get(type)


def add_attribute(random, model, entity):
    type = random.choice(TYPES)
    attribute = Attribute(free_name(random, model, entity), type, random.random() < 0.7)
    if random.random() < 0.4:
        attribute.default = default_of(random, type)
    attribute.transient = random.random() < 0.05
    attribute.external = type == "Binary" and random.random() < 0.5
    attribute.preserved = random.random() < 0.08 and not attribute.transient
    if random.random() < 0.08:
        attribute.identifier = "id" + attribute.name
    model.entities[entity].attributes.append(attribute)
    return attribute


def add_relationship(random, model, shape=None):
    """A relationship of a shape, with its inverse if the shape has one; returns the first."""
    shape = shape or random.choice(SHAPES)
    entity = random.choice(list(model.entities))
    other = entity if "self" in shape or "own" in shape else random.choice(list(model.entities))
    to_many = shape in ("one to many", "many to many", "self many to many", "own inverse",
                        "one way to many", "self one to many")
    first = Relationship(free_name(random, model, entity), other, to_many=to_many)
    model.entities[entity].relationships.append(first)
    if shape == "own inverse":
        first.inverse = first.name
    elif "way" not in shape:
        back = Relationship(free_name(random, model, other), entity, first.name,
                            to_many="many to many" in shape)
        first.inverse = back.name
        model.entities[other].relationships.append(back)
        back.ordered = back.to_many and random.random() < 0.25
        back.optional = random.random() < 0.93
        first.ordered = to_many and random.random() < 0.3
    first.optional = random.random() < 0.93
    return first


def add_derived(random, model, entity):
    """A count, or the value at the end of a to-one."""
    ways = [r for _, r in model.relationships(entity)]
    if not ways:
        return None
    way = random.choice(ways)
    name = free_name(random, model, entity)
    if way.to_many:
        attribute = Attribute(name, "Integer 64", derivation=way.name + ".@count")
    else:
        ends = [a for _, a in model.attributes(way.destination) if a.stored and not a.derivation
                and not a.is_part and a.type not in ("Binary", "Transformable")]
        if not ends:
            return None
        end = random.choice(ends)
        attribute = Attribute(name, end.type, derivation="%s.%s" % (way.name, end.name))
    model.entities[entity].attributes.append(attribute)
    return attribute


def add_unique(random, model, entity):
    names = [a.name for a in model.entities[entity].attributes if a.stored and not a.derivation
             and not a.is_part and a.type in ("String", "Integer 64") and not a.default]
    if not names:
        return False
    chosen = random.sample(names, min(len(names), random.choice((1, 1, 2))))
    if chosen in model.entities[entity].unique:
        return False
    model.entities[entity].unique.append(chosen)
    return True


def add_index(random, model, entity):
    names = [a.name for _, a in model.attributes(entity) if a.stored]
    names += [r.name for _, r in model.relationships(entity) if not r.to_many]
    if not names:
        return False
    chosen = random.sample(names, min(len(names), random.choice((1, 1, 2, 3))))
    taken = {i.name for i in model.entities[entity].indexes}
    name = random.choice(("byName", "byDate", "fast", "byAll"))
    if name in taken:
        return False
    model.entities[entity].indexes.append(
        FetchIndex(name, [(n, random.random() < 0.75) for n in chosen]))
    return True


def random_model(random):
    model = Model(identifier=random.choice(("", "1.0", "first")))
    for name in random.sample(ENTITY_NAMES, random.randrange(1, 6)):
        entity = Entity(name, abstract=random.random() < 0.1)
        if model.entities and random.random() < 0.4:
            entity.parent = random.choice(list(model.entities))
        if random.random() < 0.06:
            entity.identifier = "Id" + name
        model.add(entity)
    for entity in model.entities:
        for _ in range(random.randrange(5)):
            add_attribute(random, model, entity)
    for _ in range(random.randrange(5)):
        add_relationship(random, model)
    for _ in range(random.choice((0, 0, 0, 1, 1, 2))):
        edits_of_composites.add_composite(random, model)
    for entity in model.entities:
        for chance, add in ((0.15, add_unique), (0.25, add_index), (0.15, add_derived)):
            if random.random() < chance:
                add(random, model, entity)
        edits.choose_tombstones(random, model, entity, 0.08)
    return tidy(model)


def sound_model(random):
    while True:
        model = random_model(random)
        if fault(model) is None:
            return model


def next_version(random, old, number):
    """Some edits of a model, each of which leaves it sound."""
    model = copy.deepcopy(old)
    model.identifier = "version %d" % number
    wanted = random.choice((1, 1, 1, 2, 2, 3, 3, 5, 8))
    for _ in range(3 * wanted):
        if wanted == 0:
            break
        changed = copy.deepcopy(model)
        edit = random.choices(edits.EDITS, edits.WEIGHTS)[0]
        if edit(random, changed) is False:
            continue
        if fault(tidy(changed), edit in edits.DOUBLING) is None:
            model = changed
            wanted -= 1
    return model


def make_case(seed, number, most=8):
    random = randomness.Random("%d %d" % (seed, number))
    models = [sound_model(random)]
    for version in range(2, random.choice((3, 3, 3, 4))):
        # The store is of the first version: a version between is only there to be passed by.
        models.append(next_version(random, models[0 if random.random() < 0.7 else -1], version))
    # Of versions with equal hashes any may be taken for the store's, with its own identifiers.
    models = models[:1] + [each for each in models[1:-1] if model_hashes(each) != model_hashes(
        models[0])] + models[-1:]
    if random.random() < 0.015:
        # Two properties of the old version with one renaming identifier: not inferred.
        edits.double_key(random, models[0])
    content = make_content(random, models[0], random.choice((0, 2, most, most, 3 * most)))
    return Case(seed, number, models, content)
