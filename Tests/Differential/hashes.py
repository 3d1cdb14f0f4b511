"""Version hashes of entities, and what store metadata makes of them."""

import base64
import hashlib
import struct

from composites import composite_hash, whole
from model import TYPE_CODES


def utf16_order(name):
    return name.encode("utf-16-be")


def digest(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def text(value):
    return (value or "").encode()


def property_base(described):
    flags = (1 if described.optional else 0) + (2 if described.transient else 0)
    return digest(text(described.name), struct.pack("<H", flags), text(described.modifier))


def attribute_hash(attribute):
    if attribute.derivation:
        # Name, type and flags of a derived attribute do not count.
        return digest(text(predicate_text(attribute.derivation)))
    return digest(property_base(attribute), struct.pack("<i", TYPE_CODES[attribute.type]),
                  b"\1" if attribute.external else b"", b"\1" if attribute.preserved else b"")


def predicate_text(expression):
    """XML writes `pages.@count`, the loaded model says `count:(pages)`."""
    if expression.endswith(".@count"):
        return "count:(%s)" % expression[:-len(".@count")]
    return expression


def relationship_hash(model, declarer, relationship):
    inverse = relationship.inverse
    if inverse and model.is_own_inverse(declarer, relationship):
        inverse = None
    return digest(property_base(relationship), text(relationship.destination), text(inverse),
                  struct.pack("<ii", relationship.most, relationship.min_count),
                  # An unordered one adds nothing here, not a zero.
                  struct.pack("<H", 1) if relationship.ordered else b"")


def entity_hash(model, name):
    entity = model.entities[name]
    parts, inside = {}, {}
    for _, each in model.attributes(name):
        if each.is_part:
            inside.setdefault(whole(each), []).append(each)
        elif not each.transient:
            parts[each.name] = attribute_hash(each)
    for composite, attributes in inside.items():
        parts[composite] = composite_hash(attributes, attribute_hash)
    for declarer, each in model.relationships(name):
        if not each.transient:
            parts[each.name] = relationship_hash(model, declarer, each)
    return digest(text(name), b"\1" if entity.abstract else b"\0",
                  entity_hash(model, entity.parent) if entity.parent else b"",
                  b"".join(parts[each] for each in sorted(parts, key=utf16_order)),
                  text(entity.modifier),
                  b"".join(sorted(text(".".join(names)) for names in entity.unique)))


def model_hashes(model):
    return {name: entity_hash(model, name) for name in model.entities}


def hashes_digest(hashes):
    names = sorted(hashes)
    joined = b"".join(text(name) + hashes[name] for name in names)
    return base64.b64encode(hashlib.sha512(joined).digest()).decode()


def checksum(hashes):
    joined = b"".join(hashes[name] for name in sorted(hashes))
    return base64.b64encode(hashlib.sha256(joined).digest()).decode()


def model_metadata(model, framework, had=()):
    """The keys of store metadata that a model decides.

    Frameworks before 969 wrote no digest and those before 1321 no checksum; a store that has one
    keeps having it.
    """
    hashes = model_hashes(model)
    keys = {"NSStoreModelVersionHashes": hashes,
            "NSStoreModelVersionIdentifiers": [model.identifier]}
    if framework >= 969 or "NSStoreModelVersionHashesDigest" in had:
        keys["NSStoreModelVersionHashesDigest"] = hashes_digest(hashes)
    if framework >= 1321 or "NSStoreModelVersionChecksumKey" in had:
        keys["NSStoreModelVersionChecksumKey"] = checksum(hashes)
    return keys
