"""What an inferred migration makes of two models, and when Core Data refuses to infer one."""

from hashes import model_hashes
from model import NUMBERS


class Refused(Exception):
    """134190 at inference, before a row moves; 134110 after the copy."""

    def __init__(self, code, reason, what=""):
        super().__init__("%d %s %s" % (code, reason, what))
        self.code, self.reason, self.what = code, reason, what


ENTITY_SOURCE = "Each source entity must have a unique renaming identifier"
ENTITY_DESTINATION = "Each destination entity must have a unique renaming identifier"
PROPERTY = "Each property must have a unique renaming identifier"
TYPES = "Source and destination attribute types are incompatible"
TO_ONE = "Can not map from a to-many to a to-one relationship"
EXTERNAL = "Unable to use inferred mapping to move external reference into store."
MERGE = "Cannot merge multiple root entity source tables into one destination entity root table"
UNSUPPORTED = ("Unsupported relationship migration: A to-one's inverse to-many source must be a "
               "to-many")


def unique_by_key(described, reason):
    found = {}
    for each in described:
        if each.key in found:
            raise Refused(134190, reason, each.name)
        found[each.key] = each
    return found


def kind(described):
    if hasattr(described, "destination"):
        return "relationship"
    return "derived" if described.derivation else "attribute"


def persistent(model, entity):
    """Every property that migration looks at, inherited ones included."""
    return [a for _, a in model.attributes(entity) if not a.transient] + [
        r for _, r in model.relationships(entity) if not r.transient]


def names(model, entity):
    """Names of an entity's attributes; a composite's name does not enter the hash."""
    return {a.name for _, a in model.attributes(entity)}


class Mapping:
    """Which entity and which property comes from which; `met` counts the rules on the way."""

    def __init__(self, old, new, met):
        self.old, self.new, self.met = old, new, met
        self.old_hashes, self.new_hashes = model_hashes(old), model_hashes(new)
        self.entities = {}    # new name to old name or None
        self.properties = {}  # (new entity, property name) to old property or None
        self.pair_entities()
        for name, source in self.entities.items():
            if self.is_copy(name):
                self.pair_by_name(name)
            elif source is not None:
                self.pair_properties(name, source)
        self.refuse_merged_roots()
        self.refuse_unsupported_to_ones()

    def pair_entities(self):
        sources = unique_by_key(self.old.entities.values(), ENTITY_SOURCE)
        targets = unique_by_key(self.new.entities.values(), ENTITY_DESTINATION)
        for key, target in targets.items():
            source = sources.get(key)
            self.entities[target.name] = source.name if source else None
            self.count_entity(target, source)
        kept = set(self.entities.values())
        self.removed = [name for name in self.old.entities if name not in kept]
        for name in self.removed:
            self.met["removed %s" % ("sub-entity" if self.old.entities[name].parent
                                     else "root entity")] += 1

    def count_entity(self, target, source):
        if source is None:
            self.met["added entity"] += 1
        elif source.name != target.name:
            self.met["renamed entity"] += 1
        elif self.is_copy(target.name):
            self.met["entity copied, equal hashes"] += 1
        else:
            self.met["entity transformed"] += 1

    def is_copy(self, name):
        source = self.entities[name]
        return (source is not None and self.old_hashes[source] == self.new_hashes[name]
                and names(self.old, source) == names(self.new, name))

    def target(self, source):
        """The new name of an old entity, or None."""
        for name, each in self.entities.items():
            if each == source:
                return name
        return None

    def pair_by_name(self, name):
        """An entity of equal hash is copied as it is, whatever its identifiers say."""
        sources = {p.name: p for p in persistent(self.old, name)}
        for target in persistent(self.new, name):
            self.properties[name, target.name] = sources.get(target.name)

    def pair_properties(self, name, source):
        sources = unique_by_key(persistent(self.old, source), PROPERTY)
        for target in persistent(self.new, name):
            found = sources.get(target.key)
            if found is not None and kind(found) != kind(target):
                self.met["kind changed: old removed, new added"] += 1
                found = None
            self.properties[name, target.name] = found
            if found is None:
                self.met["new " + kind(target)] += 1
            elif kind(target) == "attribute":
                self.check_attribute(found, target)
            elif kind(target) == "relationship":
                self.check_relationship(found, target)
        kept = {id(self.properties.get((name, p.name))) for p in persistent(self.new, name)}
        for each in sources.values():
            if id(each) not in kept:
                self.met["removed " + kind(each)] += 1

    def check_attribute(self, source, target):
        numeric = NUMBERS + ("Boolean",)
        if source.name != target.name:
            self.met["renamed attribute"] += 1
        if source.type != target.type:
            if source.type not in numeric or target.type not in numeric:
                self.met["refused: attribute types"] += 1
                raise Refused(134190, TYPES, target.name)
            self.met["numeric type changed"] += 1
        if source.external and not target.external:
            self.met["refused: external storage off"] += 1
            raise Refused(134190, EXTERNAL, target.name)
        if target.external and not source.external:
            self.met["external storage on"] += 1
        if source.optional and not target.optional:
            self.met["attribute becomes mandatory, %s default" % (
                "without" if target.default is None else "with")] += 1
        if target.optional and not source.optional:
            self.met["attribute becomes optional"] += 1

    def check_relationship(self, source, target):
        if source.to_many and not target.to_many:
            self.met["refused: to-many to to-one"] += 1
            raise Refused(134190, TO_ONE, target.name)
        if source.name != target.name:
            self.met["renamed relationship"] += 1

    def refuse_merged_roots(self):
        for root in self.new.roots():
            sources = {self.old.root(self.entities[name]) for name in self.new.family(root)
                       if self.entities[name] is not None}
            if len(sources) > 1:
                self.met["refused: merged roots"] += 1
                raise Refused(134190, MERGE, root)

    def refuse_unsupported_to_ones(self):
        """A new to-one needs the hidden key of its inverse, or nothing at all."""
        for name in self.new.entities:
            for relationship in self.new.entities[name].relationships:
                if relationship.to_many or self.source(name, relationship.name) is not None:
                    continue
                inverse = self.inverse_source(name, relationship)
                if inverse is not None and not inverse[1].to_many:
                    self.met["refused: to-one's inverse was none"] += 1
                    raise Refused(134190, UNSUPPORTED, relationship.name)

    def inverse_source(self, name, relationship):
        """Where the to-many inverse of a to-one comes from."""
        found = self.new.inverse(name, relationship)
        if found is None or not found[1].to_many:
            return None
        return self.source(found[0], found[1].name)

    def source(self, name, property_name):
        """The old declaring entity and property of a new entity's property, or None."""
        found = self.properties.get((name, property_name))
        if found is None:
            return None
        return self.old.find(self.entities[name], found.name)

    def renamed(self, name):
        """Old property names of an entity to new ones, where they differ."""
        pairs = {found.name: prop for (entity, prop), found in self.properties.items()
                 if entity == name and found is not None}
        return {old: new for old, new in pairs.items() if old != new}
