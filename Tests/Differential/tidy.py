"""Keeps a changed model whole: what leads nowhere goes, and what no fact settles is reported."""

from composites import own_name
from model import NUMBERS


def tidy(model):
    """Removes what refers to something that is gone; repeats until nothing is left to remove."""
    while True:
        before = size(model)
        for entity in model.entities.values():
            if entity.parent not in model.entities:
                entity.parent = None
            tidy_relationships(model, entity)
        for entity in model.entities.values():
            tidy_attributes(model, entity)
        if size(model) == before:
            return model


def size(model):
    return sum(1 + len(e.attributes) + len(e.relationships) + len(e.unique) + len(e.indexes)
               + sum(map(len, e.unique)) + sum(len(i.elements) for i in e.indexes)
               + len(str(e.user_info)) for e in model.entities.values())


def tidy_relationships(model, entity):
    entity.relationships = [r for r in entity.relationships if r.destination in model.entities]
    for each in list(entity.relationships):
        other = model.inverse(entity.name, each)
        if each.inverse is None:
            continue
        if not other or not hasattr(other[1], "destination") \
                or other[1].inverse != each.name or other[1].destination != entity.name:
            entity.relationships.remove(each)


def is_persistent(model, entity, name, to_one=True):
    found = model.find(entity, name)
    if not found:
        return False
    if hasattr(found[1], "destination"):
        return to_one and not found[1].to_many
    return found[1].stored


def tidy_attributes(model, entity):
    entity.attributes = [a for a in entity.attributes
                         if not a.derivation or is_derivable(model, entity.name, a)]
    entity.unique = [names for names in entity.unique
                     if names and all(is_persistent(model, entity.name, n, False) for n in names)]
    for index in entity.indexes:
        index.elements = [e for e in index.elements if is_persistent(model, entity.name, e[0])]
    entity.indexes = [i for i in entity.indexes if i.elements]
    key = "NSPersistentHistoryTombstoneAttributes"
    if key in entity.user_info:
        names = [n for n in entity.user_info[key].split(",")
                 if is_persistent(model, entity.name, n, False)]
        entity.user_info = {key: ",".join(names)} if names else {}


def is_derivable(model, entity, attribute):
    first, _, last = attribute.derivation.partition(".")
    found = model.find(entity, first)
    if not found or not hasattr(found[1], "destination"):
        return False
    if last == "@count":
        return found[1].to_many and attribute.type in NUMBERS
    end = model.find(found[1].destination, last)
    return (not found[1].to_many and end is not None and not hasattr(end[1], "destination")
            and end[1].stored and not end[1].derivation and end[1].type == attribute.type)


def fault(model, doubled_keys=False):
    """Why a model cannot be used in a case, or None."""
    names = [n.lower() for n in model.entities]
    if not names or len(set(names)) < len(names):
        return "entity names"
    if all(e.abstract for e in model.entities.values()):
        return "nothing but abstract entities"
    for entity in model.entities.values():
        if entity.name in chain_above(model, entity):
            return "an entity above itself"
    for entity in model.entities.values():
        properties = [p for _, p in model.attributes(entity.name)]
        properties += [p for _, p in model.relationships(entity.name)]
        if len({p.name.lower() for p in properties}) < len(properties) or mixed(model, entity):
            return "property names"
        if not doubled_keys and len({p.key for p in properties}) < len(properties):
            return "renaming identifiers"
    if not doubled_keys and len({e.key for e in model.entities.values()}) < len(names):
        return "renaming identifiers of entities"
    return unsettled(model)


def mixed(model, entity):
    """Whether a composite has the name of another property, or parts in two entities."""
    found = {}
    for declarer, each in model.attributes(entity.name) + model.relationships(entity.name):
        name, point, _ = each.name.partition(".")
        found.setdefault(name.lower(), set()).add((declarer, name, point))
    return any(len(places) > 1 for places in found.values())


def is_key_order_unsettled(model, entity):
    """By which names Core Data sorts parts among an entity's keys is not known, and that order
    names the tables of pairs."""
    return any("." in a.name for _, a in model.attributes(entity)) and any(
        model.is_many_to_many(declarer, r) for declarer, r in model.relationships(entity))


def chain_above(model, entity):
    above, parent = [], entity.parent
    while parent and parent not in above:
        above.append(parent)
        parent = model.entities[parent].parent
    return above


def unsettled(model):
    """Things whose form in a store no fact settles; cases keep away from them."""
    for entity in model.entities.values():
        for each in entity.relationships:
            if model.is_own_inverse(entity.name, each) and (each.ordered or not each.to_many):
                return "an own inverse that is ordered or a to-one"
            if model.is_one_way(each) and (each.ordered or model.children(entity.name)):
                return "a one-way to-many that is ordered or has an owner with sub-entities"
        if is_entity_column_doubled(model, entity.name):
            return "two entity columns of one name"
        if is_key_order_unsettled(model, entity.name):
            return "parts of a composite among the keys that name tables of pairs"
    return None


def is_entity_column_doubled(model, root):
    """Whether a suffix belongs into the name of an entity or order column is not settled."""
    if model.entities[root].parent:
        return False
    seen = set()
    for name in model.family(root):
        for each in model.entities[name].attributes + model.entities[name].relationships:
            upper = own_name(each.name).upper()
            if upper in seen and hasattr(each, "destination") and not each.to_many:
                other = model.inverse(name, each)
                if model.children(each.destination) or other and other[1].ordered:
                    return True
            seen.add(upper)
    return False
