"""Composite attributes: an attribute whose name contains a dot is a part of one.

Parts are ordinary attributes of the entity, so code that handles values ignores composites. This file
has the rest: how composites are written as XML, and hashed.
"""

import hashlib
import xml.etree.ElementTree as tree
from dataclasses import replace


def whole(attribute):
    """The composite that a part is in, or the attribute itself."""
    return attribute.name.partition(".")[0]


def own_name(name):
    """The last name of a part's path."""
    return name.rpartition(".")[2]


def plain(entity):
    return [a for a in entity.attributes if not a.is_part]


def parts(entity, composite):
    return [a for a in entity.attributes if a.is_part and whole(a) == composite]


def has_composites(model):
    return any(a.is_part for e in model.entities.values() for a in e.attributes)


def column_order(described):
    """The attributes as their columns get names: parts where the composite stands, as modelled."""
    place = {id(each): number for number, each in enumerate(described.attributes)}
    return sorted(described.attributes, key=lambda a: (whole(a), place[id(a)]))


# As XML

def write_composites(root, parent, entity, write_attribute):
    done = set()
    for each in entity.attributes:
        if each.is_part and whole(each) not in done:
            done.add(whole(each))
            leaves = [(a.name.split("."), a.key.split("."), a) for a in parts(entity, whole(each))]
            write_node(root, parent, entity.name, leaves, write_attribute)


def write_node(root, parent, prefix, leaves, write_attribute):
    """One attribute: a value, or a composite with those whose paths begin with its name."""
    path, key, attribute = leaves[0]
    if len(path) == 1:
        identifier = key[0] if key[0] != path[0] else None
        write_attribute(parent, replace(attribute, name=path[0], identifier=identifier))
        return
    form = "%s_%s" % (prefix, path[0])
    element = tree.SubElement(parent, "attribute", name=path[0], attributeType="Composite",
                              composite=form)
    if key[0] != path[0]:
        element.set("elementID", key[0])
    composite = tree.SubElement(root, "composite", name=form)
    inner = {}
    for path, key, attribute in leaves:
        inner.setdefault(path[1], []).append((path[1:], key[1:], attribute))
    for group in inner.values():
        write_node(root, composite, form, group, write_attribute)


# Hashes

def composite_hash(attributes, attribute_hash):
    """Over the hashes of the parts, sorted by their own names; its own name does not enter."""
    hashes = [(own_name(a.name), attribute_hash(replace(a, name=own_name(a.name))))
              for a in attributes]
    return hashlib.sha256(b"".join(each for _, each in sorted(hashes))).digest()
