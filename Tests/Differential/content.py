"""Random content of a store."""

import history
from mirror import make_mirror
from schema import Layout
from store import Change, Content, Object

WORDS = ("", "12", "1.5", "x", "Grüße", "日本語", "a'b\"c", "line\nbreak", "😀", "NULL", "zz")
FRAMEWORKS = (847, 866, 977, 1044, 1251, 1321, 1344, 1522)


def value_of(random, attribute, content):
    """A value as it lies in the column of an attribute of this type."""
    kind = attribute.type
    if kind.startswith("Integer"):
        limit = 2 ** (int(kind[-2:]) - 1)
        return random.choice((0, 1, -7, 300, limit - 1, -limit, random.randrange(-limit, limit)))
    if kind == "Boolean":
        return random.randrange(2)
    if kind == "Decimal":
        return random.choice((0, 5, -3.25, 1e20, 0.1, 123456789012345678))
    if kind in ("Double", "Float"):
        return random.choice((0.0, 2.0, -1.5, 0.5, 3e38, 1024.0, random.randrange(99) / 8))
    if kind == "Date":
        return random.choice((0, 700000000, 700000000.25, -978307200))
    if kind == "String":
        return random.choice(WORDS) + random.choice(("", str(random.randrange(10000))))
    if kind == "URI":
        return "https://example.com/%d" % random.randrange(1000)
    if kind == "UUID":
        return random.randbytes(16)
    data = random.randbytes(random.choice((1, 2, 40, 300)))
    return external_value(random, data, content) if attribute.external else data


def external_value(random, data, content):
    """Inline behind a byte 01, or in a file that a byte 02 and its name refer to."""
    if random.random() < 0.6:
        return b"\1" + data
    raw = "%032X" % random.getrandbits(128)
    name = "-".join((raw[:8], raw[8:12], raw[12:16], raw[16:20], raw[20:]))
    content.files[name] = data * 10
    return b"\2" + name.encode() + b"\0"


def is_unique(model, entity, name):
    return any(name in names for level in model.chain(entity)
               for names in model.entities[level].unique)


def make_objects(random, model, content, most):
    for root in model.roots():
        keys = random.sample(range(1, 4 * most + 2), random.randrange(most + 1))
        concrete = [e for e in model.family(root) if not model.entities[e].abstract]
        if not concrete:
            continue
        for key in sorted(keys):
            entity = random.choice(concrete)
            each = Object(entity, key, random.randrange(1, 9))
            for _, attribute in model.attributes(entity):
                if attribute.stored and not attribute.derivation:
                    each.values[attribute.name] = object_value(
                        random, model, entity, attribute, key, content)
            content.objects.append(each)


def object_value(random, model, entity, attribute, key, content):
    if random.random() < (0.25 if attribute.optional else content.missing):
        return None
    value = value_of(random, attribute, content)
    if is_unique(model, entity, attribute.name):
        return "%s %d" % (value, key) if attribute.type == "String" else key
    return value


def targets_of(model, content, destination):
    family = set(model.family(destination))
    return [o for o in content.objects if o.entity in family]


def make_links(random, model, content):
    for each in content.objects:
        for declarer, relationship in model.relationships(each.entity):
            if relationship.to_many:
                continue
            targets = targets_of(model, content, relationship.destination)
            chance = 0.75 if relationship.optional else 1 - content.missing
            if targets and random.random() < chance:
                target = random.choice(targets)
                each.links[relationship.name] = (target.entity, target.key)
                each.orders[relationship.name] = 1024 * random.randrange(2, 20)
    keep_one_to_ones_single(model, content)


def keep_one_to_ones_single(model, content):
    """Of a one-to-one no two objects lead to the same one, and the way back is the same."""
    for entity in model.entities.values():
        for each in entity.relationships:
            other = model.inverse(entity.name, each)
            if each.to_many or not other or other[1].to_many:
                continue
            settle_one_to_one(model, content, (entity.name, each), other)


def settle_one_to_one(model, content, side, other):
    (declarer, each), (back_declarer, back) = side, other
    if (back_declarer, back.name) < (declarer, each.name):
        return
    partners = {(o.entity, o.key): o for o in targets_of(model, content, back_declarer)}
    for target in partners.values():
        target.links.pop(back.name, None)
    for source in targets_of(model, content, declarer):
        link = source.links.get(each.name)
        if link is None:
            continue
        if link in partners and back.name not in partners[link].links:
            partners[link].links[back.name] = (source.entity, source.key)
        else:
            source.links.pop(each.name, None)


def make_many(random, model, content):
    layout = Layout(model)
    for join in layout.joins:
        side = join.master
        relationship = model.entities[side.declarer].own(side.property)
        owners = targets_of(model, content, side.declarer)
        members = targets_of(model, content, relationship.destination)
        pairs = {(o.key, m.key) for o in owners for m in members if random.random() < 0.3}
        content.joins[side.declarer, side.property] = [
            (owner, member, 1024 * random.randrange(2, 30), 1024 * random.randrange(2, 30))
            for owner, member in sorted(pairs)]
    for entity in model.entities.values():
        for each in entity.relationships:
            owners = targets_of(model, content, entity.name)
            if model.is_one_way(each) and owners:
                for member in targets_of(model, content, each.destination):
                    if random.random() < 0.6:
                        owner = random.choice(owners)
                        member.hidden[entity.name, each.name] = (owner.entity, owner.key)


def make_history(random, model, content):
    layout = Layout(model)
    content.has_history = True
    content.transactions = random.randrange(1, 6)
    concrete = [e.name for e in model.entities.values() if not e.abstract]
    for _ in range(random.randrange(12)):
        entity = random.choice(concrete)
        change = Change(random.randrange(3), entity, random.randrange(1, 40),
                        random.randrange(1, content.transactions + 1))
        # An entity key never changes without its key; a bit of a hidden key has not been seen.
        allowed = [b for b in history.bits(layout, entity) if b[0] in ("key", "attribute", "many")]
        change.bits = {b for b in allowed if random.random() < 0.4}
        for name in history.tombstone_names(model, entity):
            found = model.find(entity, name)
            change.tombstones[name] = value_of(random, found[1], Content())
        content.changes.append(change)


def make_content(random, model, most):
    content = Content(framework=random.choice(FRAMEWORKS), wal=random.random() < 0.3)
    content.missing = 0.02 if random.random() < 0.2 else 0
    content.spare = random.choice((0, 0, 3))
    content.uuid = "%08X-1111-4222-8333-444455556666" % random.getrandbits(32)
    if random.random() < 0.5:
        content.metadata = {"Application": {"build": 7}, "Color": "blue"}
    make_objects(random, model, content, most)
    make_links(random, model, content)
    make_many(random, model, content)
    if random.random() < 0.4:
        make_history(random, model, content)
        if random.random() < 0.4:
            make_mirror(random, model, content)
    return content
