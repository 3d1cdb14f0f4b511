"""Random changes of entities and of who inherits from whom."""

import copy

import edits
import generate
from model import Entity


def free_entity_name(random, model):
    taken = {name.lower() for name in model.entities}
    return random.choice([n for n in generate.ENTITY_NAMES if n.lower() not in taken])


def reconnect(model, old, new):
    """Everything that speaks of an entity speaks of another one."""
    for each in model.entities.values():
        if each.parent == old:
            each.parent = new
        for relationship in each.relationships:
            if relationship.destination == old:
                relationship.destination = new


def rename(model, entity, name):
    model.entities = {name if old == entity.name else old: each
                      for old, each in model.entities.items()}
    reconnect(model, entity.name, name)
    entity.name = name


def add_entity(random, model):
    entity = Entity(free_entity_name(random, model), abstract=random.random() < 0.1)
    if random.random() < 0.4:
        entity.parent = random.choice(list(model.entities))
    model.add(entity)
    for _ in range(random.randrange(3)):
        generate.add_attribute(random, model, entity.name)


def remove_entity(random, model):
    entity = edits.some_entity(random, model, lambda e: not model.children(e.name))
    if not entity or len(model.entities) == 1:
        return False
    del model.entities[entity.name]


def remove_sub_entity(random, model):
    entity = edits.some_entity(random, model, lambda e: e.parent and not model.children(e.name))
    if not entity:
        return False
    del model.entities[entity.name]


def rename_entity(random, model):
    entity = edits.some_entity(random, model)
    key = entity.key
    rename(model, entity, free_entity_name(random, model))
    entity.identifier = key if random.random() < 0.85 and key != entity.name else None


def swap_entities(random, model):
    if len(model.entities) < 2:
        return False
    first, second = random.sample(list(model.entities.values()), 2)
    keys, names = (first.key, second.key), (first.name, second.name)
    for entity, name in ((first, "Swapped"), (second, names[0]), (first, names[1])):
        rename(model, entity, name)
    first.identifier, second.identifier = keys


def change_abstract(random, model):
    entity = edits.some_entity(random, model)
    # The command gives up the objects of one that becomes abstract, and Core Data leaves them where
    # no fetch shows them.
    entity.abstract = False


def add_parent(random, model):
    """A new entity above a root."""
    entity = edits.some_entity(random, model, lambda e: not e.parent)
    parent = Entity(free_entity_name(random, model), abstract=random.random() < 0.5)
    model.add(parent)
    entity.parent = parent.name
    for _ in range(random.randrange(2)):
        generate.add_attribute(random, model, parent.name)
    if entity.attributes and random.random() < 0.4:
        parent.attributes.append(entity.attributes.pop())


def remove_parent(random, model):
    """The only child of a parent takes its properties and its place."""
    parent = edits.some_entity(random, model, lambda e: len(model.children(e.name)) == 1)
    if not parent:
        return False
    child = model.entities[model.children(parent.name)[0]]
    child.parent = parent.parent
    child.attributes = parent.attributes + child.attributes
    child.relationships = parent.relationships + child.relationships
    del model.entities[parent.name]
    reconnect(model, parent.name, child.name)


def become_root(random, model):
    """A sub-entity leaves its family; attributes that it had inherited become its own."""
    entity = edits.some_entity(random, model, lambda e: e.parent)
    if not entity:
        return False
    inherited = [a for d, a in model.attributes(entity.name) if d != entity.name
                 and not a.derivation]
    entity.parent = None
    if random.random() < 0.7:
        entity.attributes = [copy.deepcopy(a) for a in inherited] \
            + entity.attributes


def move_under(random, model):
    """Under another entity: of the same family it is inferred, of another one it is not."""
    entity = edits.some_entity(random, model)
    same = random.random() < 0.8
    others = [n for n in model.entities if n not in model.family(entity.name)
              and n != entity.parent
              and (not same or model.root(n) == model.root(entity.name))]
    if not others:
        return False
    entity.parent = random.choice(others)


def double_entity(random, model):
    if len(model.entities) < 2:
        return False
    first, second = random.sample(list(model.entities.values()), 2)
    first.identifier = second.key


DOUBLE_ENTITY = double_entity
ENTITY_EDITS = [
    (add_entity, 4), (remove_entity, 2), (remove_sub_entity, 4), (rename_entity, 5),
    (swap_entities, 2), (change_abstract, 1), (add_parent, 3), (remove_parent, 2),
    (become_root, 2), (move_under, 3), (double_entity, 0.4),
]
