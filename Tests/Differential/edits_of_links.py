"""Random changes of relationships."""

import edits
import generate


def add_relationship(random, model):
    generate.add_relationship(random, model)


def remove_relationship(random, model):
    """With its inverse, which tidying takes away."""
    entity, each = edits.some_relationship(random, model)
    if not entity:
        return False
    entity.relationships.remove(each)


def rename_relationship(random, model):
    entity, each = edits.some_relationship(random, model)
    if not entity:
        return False
    key, name = each.key, generate.free_name(random, model, entity.name)
    edits.rename_property(model, entity, each, name)
    each.identifier = key if random.random() < 0.75 and key != name else None


def swap_relationships(random, model):
    entity = edits.some_entity(random, model, lambda e: len(e.relationships) > 1)
    if not entity:
        return False
    first, second = random.sample(entity.relationships, 2)
    keys, names = (first.key, second.key), (first.name, second.name)
    for each, name in ((first, "swapped"), (second, names[0]), (first, names[1])):
        edits.rename_property(model, entity, each, name)
    first.identifier, second.identifier = keys


def becomes_to_many(random, model):
    """One-to-one to one-to-many, or the to-one of a one-to-many to many-to-many."""
    entity, each = edits.some_relationship(
        random, model, lambda e, r: not r.to_many and r.inverse)
    if not entity or model.is_own_inverse(entity.name, each):
        return False
    each.to_many, each.max_count = True, None
    each.ordered = random.random() < 0.3


def becomes_to_many_with_inverse(random, model):
    """A to-one without inverse becomes the to-many of a one-to-many: not inferred."""
    entity, each = edits.some_relationship(
        random, model, lambda e, r: not r.to_many and r.inverse is None)
    if not entity:
        return False
    made = generate.Relationship(generate.free_name(random, model, each.destination),
                                 entity.name, each.name)
    model.entities[each.destination].relationships.append(made)
    each.inverse, each.to_many = made.name, True


def becomes_to_one(random, model):
    entity, each = edits.some_relationship(random, model, lambda e, r: r.to_many and r.inverse)
    if not entity:
        return False
    each.to_many, each.ordered, each.min_count = False, False, 0


def change_order(random, model):
    entity, each = edits.some_relationship(random, model, lambda e, r: r.to_many and r.inverse)
    if not entity:
        return False
    each.ordered = not each.ordered


def change_optional(random, model):
    entity, each = edits.some_relationship(random, model)
    if not entity:
        return False
    each.optional = not each.optional
    if each.to_many:
        each.min_count = 0 if each.optional else random.choice((0, 1, 1))


def remove_inverse(random, model):
    """The to-one of a one-to-many goes, and its to-many has no inverse any more."""
    entity, each = edits.some_relationship(
        random, model, lambda e, r: r.to_many and r.inverse and not r.ordered
        and not model.inverse(e.name, r)[1].to_many)
    if not entity:
        return False
    declarer, other = model.inverse(entity.name, each)
    model.entities[declarer].relationships.remove(other)
    each.inverse = None


def add_inverse(random, model):
    entity, each = edits.some_relationship(random, model, lambda e, r: r.inverse is None)
    if not entity:
        return False
    name = generate.free_name(random, model, each.destination)
    made = generate.Relationship(name, entity.name, each.name, to_many=not each.to_many)
    model.entities[each.destination].relationships.append(made)
    each.inverse = name


def lead_to_parent(random, model):
    """A to-one leads to the parent of its destination; a to-many that is its inverse moves up."""
    entity, each = edits.some_relationship(
        random, model, lambda e, r: not r.to_many and model.entities[r.destination].parent)
    if not entity:
        return False
    parent = model.entities[each.destination].parent
    if each.inverse:
        declarer, other = model.inverse(entity.name, each)
        if declarer != each.destination or not other.to_many:
            return False
        model.entities[declarer].relationships.remove(other)
        model.entities[parent].relationships.append(other)
    each.destination = parent


LINK_EDITS = [
    (add_relationship, 6), (remove_relationship, 3), (rename_relationship, 5),
    (swap_relationships, 2), (becomes_to_many, 6), (becomes_to_one, 0.6),
    (becomes_to_many_with_inverse, 0.6), (change_order, 5),
    (change_optional, 3), (remove_inverse, 2), (add_inverse, 3), (lead_to_parent, 5),
]
