"""Random changes of composite attributes; see edits.py."""

import edits
import generate
from composites import parts, whole

PARTS = ("city", "street", "geo.lat", "geo.lon", "geo.city", "zip", "note")


def add_part(random, entity, name, composite, renamed_from):
    kind = random.choice(("String", "Double", "Integer 64", "Date", "Boolean", "Binary"))
    made = generate.Attribute("%s.%s" % (composite, name), kind, random.random() < 0.8)
    if random.random() < 0.4:
        made.default = generate.default_of(random, kind)
    if renamed_from:
        made.identifier = "%s.%s" % (renamed_from, name)
    entity.attributes.append(made)


def add_composite(random, model):
    entity = random.choice(list(model.entities.values()))
    name = generate.free_name(random, model, entity.name)
    chosen = random.sample(PARTS, random.randrange(1, 5))
    # Those of one inner composite stand together.
    for part in sorted(chosen, key=lambda p: (chosen.index(next(
            c for c in chosen if c.partition(".")[0] == p.partition(".")[0])), chosen.index(p))):
        add_part(random, entity, part, name, None)


def some_composite(random, model):
    found = sorted({(e.name, whole(a)) for e in model.entities.values()
                    for a in e.attributes if a.is_part})
    if not found:
        return None, None
    entity, composite = random.choice(found)
    return model.entities[entity], composite


def remove_composite(random, model):
    entity, composite = some_composite(random, model)
    if not entity:
        return False
    for each in parts(entity, composite):
        entity.attributes.remove(each)


def remove_part(random, model):
    entity, composite = some_composite(random, model)
    if not entity:
        return False
    entity.attributes.remove(random.choice(parts(entity, composite)))


def add_to_composite(random, model):
    entity, composite = some_composite(random, model)
    if not entity:
        return False
    present = parts(entity, composite)
    taken = {a.name.partition(".")[2] for a in present}
    free = [p for p in PARTS if "." not in p and p not in taken]
    if not free:
        return False
    renamed = present[0].key.partition(".")[0]
    add_part(random, entity, random.choice(free), composite,
             renamed if renamed != composite else None)


def rename_composite(random, model):
    entity, composite = some_composite(random, model)
    if not entity:
        return False
    name = generate.free_name(random, model, entity.name)
    keeps = random.random() < 0.85
    for each in parts(entity, composite):
        key, rest = each.key, each.name.partition(".")[2]
        edits.rename_property(model, entity, each, "%s.%s" % (name, rest))
        each.identifier = key if keeps and key != each.name else None


def change_part(random, model):
    entity, composite = some_composite(random, model)
    if not entity:
        return False
    each = random.choice(parts(entity, composite))
    each.optional = not each.optional
    if not each.optional:
        each.default = generate.default_of(random, each.type)


COMPOSITE_EDITS = [(add_composite, 2), (remove_composite, 1), (remove_part, 1),
                   (add_to_composite, 1), (rename_composite, 2), (change_part, 1)]
