"""Makes a case that shows a difference smaller, while it shows the same difference."""

import copy
import time

from tidy import fault, tidy


def smaller_cases(case):
    """Cases with one thing less each; the large cuts first."""
    if len(case.models) > 2:
        yield changed(case, lambda c: c.models.__delitem__(1))
    content = case.content
    for cut in content_cuts(content):
        yield changed(case, cut)
    for name in case.old.entities:
        yield changed(case, lambda c: drop_entity(c, name, name))
    for name in case.new.entities:
        yield changed(case, lambda c: c.new.entities.pop(name))
    for name, entity in case.old.entities.items():
        for each in entity.attributes + entity.relationships:
            yield changed(case, lambda c: drop_property(c, each.key))
        for field in ("unique", "indexes"):
            if getattr(entity, field):
                yield changed(case, lambda c: drop_field(c, name, field))
    for name, entity in case.new.entities.items():
        for each in entity.attributes + entity.relationships:
            yield changed(case, lambda c: drop_new_property(c, name, each.name))
        for field in ("unique", "indexes"):
            if getattr(entity, field):
                yield changed(case, lambda c: getattr(c.new.entities[name], field).clear())
        yield changed(case, lambda c: keep_old(c, name))


def content_cuts(content):
    count = len(content.objects)
    if count > 1:
        yield lambda c: c.content.objects.__delitem__(slice(0, count // 2))
        yield lambda c: c.content.objects.__delitem__(slice(count // 2, count))
    if count <= 8:
        for number in range(count):
            yield lambda c, number=number: c.content.objects.__delitem__(number)
    for key, rows in content.joins.items():
        if rows:
            yield lambda c, key=key: c.content.joins.__setitem__(key, [])
        if 1 < len(rows) < 8:
            for number in range(len(rows)):
                yield lambda c, key=key, number=number: c.content.joins[key].pop(number)
    if content.has_history:
        yield lambda c: setattr(c.content, "has_history", False)
        for number in range(len(content.changes)):
            yield lambda c, number=number: c.content.changes.pop(number)
    for field, plain in (("wal", False), ("metadata", {}), ("spare", 0), ("files", {})):
        if getattr(content, field):
            yield lambda c, field=field, plain=plain: setattr(c.content, field, plain)


def changed(case, change):
    made = copy.deepcopy(case)
    change(made)
    for model in made.models:
        tidy(model)
    return made


def drop_entity(case, name, key):
    for model in case.models:
        for entity in list(model.entities.values()):
            if entity.name == name or entity.key == key:
                del model.entities[entity.name]


def drop_property(case, key):
    for model in case.models:
        for entity in model.entities.values():
            entity.attributes = [a for a in entity.attributes if a.key != key]
            entity.relationships = [r for r in entity.relationships if r.key != key]


def drop_new_property(case, name, property_name):
    entity = case.new.entities[name]
    entity.attributes = [a for a in entity.attributes if a.name != property_name]
    entity.relationships = [r for r in entity.relationships if r.name != property_name]


def drop_field(case, name, field):
    for model in case.models:
        if name in model.entities:
            getattr(model.entities[name], field).clear()


def keep_old(case, name):
    """The new version of an entity is its old one."""
    if name in case.old.entities:
        case.new.entities[name] = copy.deepcopy(case.old.entities[name])


def shrink(case, shows, seconds):
    """`shows` says whether a case still has the difference; it is asked for so many seconds."""
    end = time.monotonic() + seconds
    while True:
        for smaller in smaller_cases(case):
            if time.monotonic() > end:
                return case
            if str(smaller) == str(case) or not is_sound(smaller):
                continue
            if shows(smaller):
                case = smaller
                break
        else:
            return case


def is_sound(case):
    return all(model.entities and fault(model, True) is None for model in case.models)
