"""A small model of a Core Data model: entities, attributes, relationships, indexes.

It holds what a version of a model says, and answers what inheritance makes of it. Nothing here
knows about tables or files.
"""

from dataclasses import dataclass, field

INTEGERS = ("Integer 16", "Integer 32", "Integer 64")
NUMBERS = INTEGERS + ("Decimal", "Double", "Float")

# The codes that a version hash holds.
TYPE_CODES = {
    "Undefined": 0, "Integer 16": 100, "Integer 32": 200, "Integer 64": 300, "Decimal": 400,
    "Double": 500, "Float": 600, "String": 700, "Boolean": 800, "Date": 900, "Binary": 1000,
    "UUID": 1100, "URI": 1200, "Transformable": 1800,
}


@dataclass
class Attribute:
    name: str
    type: str
    optional: bool = True
    transient: bool = False
    default: str | None = None
    external: bool = False
    preserved: bool = False
    identifier: str | None = None
    modifier: str | None = None
    derivation: str | None = None
    indexed: bool = False

    @property
    def key(self):
        """The name that the two versions of a property are paired by."""
        return self.identifier or self.name

    @property
    def stored(self):
        return not self.transient and self.type != "Undefined"

    @property
    def is_part(self):
        """Whether it is a part of a composite attribute."""
        return "." in self.name


@dataclass
class Relationship:
    name: str
    destination: str
    inverse: str | None = None
    to_many: bool = False
    ordered: bool = False
    optional: bool = True
    min_count: int = 0
    max_count: int | None = None
    identifier: str | None = None
    modifier: str | None = None
    transient: bool = False

    @property
    def key(self):
        return self.identifier or self.name

    @property
    def most(self):
        """How many objects it leads to at most; 0 is any number."""
        if self.max_count is not None:
            return self.max_count
        return 0 if self.to_many else 1


@dataclass
class FetchIndex:
    name: str
    elements: list  # pairs of a property's name and whether it ascends


@dataclass
class Entity:
    name: str
    parent: str | None = None
    abstract: bool = False
    identifier: str | None = None
    modifier: str | None = None
    attributes: list = field(default_factory=list)
    relationships: list = field(default_factory=list)
    unique: list = field(default_factory=list)
    indexes: list = field(default_factory=list)
    compound: list = field(default_factory=list)
    user_info: dict = field(default_factory=dict)

    @property
    def key(self):
        return self.identifier or self.name

    def own(self, name):
        """The own property of a name, or None."""
        for each in self.attributes + self.relationships:
            if each.name == name:
                return each
        return None


def folded(name):
    """What case-insensitive orders compare; the name itself settles what would be undefined."""
    return (name.lower(), name)


class Model:
    def __init__(self, entities=(), identifier=""):
        self.entities = {each.name: each for each in entities}
        self.identifier = identifier

    def add(self, entity):
        self.entities[entity.name] = entity

    def roots(self):
        return sorted((e.name for e in self.entities.values() if not e.parent), key=folded)

    def children(self, name):
        return sorted((e.name for e in self.entities.values() if e.parent == name), key=folded)

    def family(self, name):
        """An entity and all below it, depth first."""
        found = [name]
        for child in self.children(name):
            found += self.family(child)
        return found

    def chain(self, name):
        """The root, each level down, the entity itself."""
        entity = self.entities[name]
        return (self.chain(entity.parent) if entity.parent else []) + [name]

    def root(self, name):
        return self.chain(name)[0]

    def attributes(self, name):
        """Pairs of declaring entity and attribute, inherited first."""
        return [(e, a) for e in self.chain(name) for a in self.entities[e].attributes]

    def relationships(self, name):
        return [(e, r) for e in self.chain(name) for r in self.entities[e].relationships]

    def find(self, name, wanted):
        """The declaring entity and the property of an entity, inherited ones included."""
        for declarer in reversed(self.chain(name)):
            found = self.entities[declarer].own(wanted)
            if found is not None:
                return declarer, found
        return None

    def inverse(self, declarer, relationship):
        """The declaring entity and the relationship at the other end, or None."""
        if relationship.inverse is None:
            return None
        return self.find(relationship.destination, relationship.inverse)

    def is_own_inverse(self, declarer, relationship):
        found = self.inverse(declarer, relationship)
        return found is not None and found[1] is relationship

    def is_many_to_many(self, declarer, relationship):
        other = self.inverse(declarer, relationship)
        return relationship.to_many and other is not None and other[1].to_many

    def is_one_way(self, relationship):
        """A to-many without inverse: its key column is hidden in the destination's table."""
        return relationship.to_many and relationship.inverse is None
