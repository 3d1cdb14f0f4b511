"""What tables, columns and numbers Core Data makes of a model in a fresh store."""

from dataclasses import dataclass

from composites import column_order, own_name
from key_order import key_order
from model import INTEGERS, folded

FIXED_TABLES = {
    "Z_PRIMARYKEY": "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, "
                    "Z_SUPER INTEGER, Z_MAX INTEGER)",
    "Z_METADATA": "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, "
                  "Z_UUID VARCHAR(255), Z_PLIST BLOB)",
}

DECLARED = {
    "Integer 16": "INTEGER", "Integer 32": "INTEGER", "Integer 64": "INTEGER",
    "Boolean": "INTEGER", "Decimal": "DECIMAL", "Double": "FLOAT", "Float": "FLOAT",
    "Date": "TIMESTAMP", "String": "VARCHAR", "URI": "VARCHAR", "UUID": "BLOB",
    "Transformable": "BLOB", "Binary": "BLOB",
}

# Attributes of the types of one group stand together, one group after the other.
TYPE_GROUPS = (("Double", "Float", "Date"), ("Decimal",), ("String",), ("URI",), ("UUID",),
               ("Transformable",), ("Binary",))


@dataclass(frozen=True)
class Column:
    """A column of an entity table.

    `role` is attribute, key, entity or order. A hidden key, of a to-many without inverse, has the
    role hidden, and its property is the to-many in the entity that declares it.
    """
    name: str
    declared: str
    role: str
    declarer: str
    property: str


@dataclass(frozen=True)
class Side:
    """A many-to-many as its relationship sees it: own objects, members, their order."""
    declarer: str
    property: str
    owners: str
    members: str
    order: str | None


@dataclass(frozen=True)
class Join:
    table: str
    master: Side
    partner: Side
    columns: tuple

    def side(self, declarer, name):
        for each in (self.master, self.partner):
            if (each.declarer, each.property) == (declarer, name):
                return each
        return None


class UniqueNames:
    """The names that a family has given; one taken already gets a suffix from 1."""

    def __init__(self):
        self.taken = set()

    def take(self, base):
        name, suffix = base, 0
        while name in self.taken:
            suffix += 1
            name = base + str(suffix)
        self.taken.add(name)
        return name


class Layout:
    def __init__(self, model):
        self.model = model
        order = [name for root in model.roots() for name in model.family(root)]
        self.numbers = {name: number for number, name in enumerate(order, 1)}
        self.names = {root: UniqueNames() for root in model.roots()}
        self.columns = {}  # (declarer, property, role) to Column
        for root in model.roots():
            self.name_columns(root)
        for declarer in order:
            self.name_hidden_columns(declarer)
        self.joins = []
        self.name_joins()

    def table(self, entity):
        return "Z" + self.model.root(entity).upper()

    def has_children(self, entity):
        return bool(self.model.children(entity))

    # Columns

    def name_columns(self, root):
        for entity in self.model.family(root):
            described = self.model.entities[entity]
            own = [a for a in column_order(described) if a.stored] + [
                r for r in described.relationships if not r.to_many and not r.transient]
            for each in sorted(own, key=lambda e: e.name.partition(".")[0]):
                if hasattr(each, "destination"):
                    self.name_to_one(root, entity, each)
                else:
                    self.give(root, "Z" + own_name(each.name).upper(), DECLARED[each.type],
                              "attribute", entity, each.name)

    def give(self, root, base, declared, role, declarer, name):
        column = Column(self.names[root].take(base), declared, role, declarer, name)
        self.columns[declarer, name, role] = column

    def name_to_one(self, root, entity, each):
        upper = each.name.upper()
        self.give(root, "Z" + upper, "INTEGER", "key", entity, each.name)
        if self.has_children(each.destination):
            number = self.numbers[each.destination]
            self.give(root, "Z%d_%s" % (number, upper), "INTEGER", "entity", entity, each.name)
        other = self.model.inverse(entity, each)
        if other and other[1].to_many and other[1].ordered:
            self.give(root, "Z_FOK_" + upper, "INTEGER", "order", entity, each.name)

    def name_hidden_columns(self, owner):
        for each in self.model.entities[owner].relationships:
            if not self.model.is_one_way(each) or each.transient:
                continue
            root = self.model.root(each.destination)
            base = "%d%s" % (self.numbers[owner], each.name.upper())
            self.give(root, "Z" + base, "INTEGER", "hidden", owner, each.name)
            if self.has_children(owner):
                self.give(root, "Z%d_%s" % (self.numbers[owner], base), "INTEGER",
                          "hidden entity", owner, each.name)
            if each.ordered:
                self.give(root, "Z_FOK_" + base, "INTEGER", "hidden order", owner, each.name)

    def column(self, entity, name, role):
        """The column of a property of an entity, inherited or own, or None."""
        found = self.model.find(entity, name)
        return self.columns.get((found[0], name, role)) if found else None

    def hidden_columns(self, entity):
        """The hidden columns that lie in an entity's own part of its table."""
        found = [c for c in self.columns.values() if c.role.startswith("hidden")
                 and self.model.entities[c.declarer].own(c.property).destination == entity]
        return sorted(found, key=lambda c: (self.numbers[c.declarer], c.property, c.role))

    def table_columns(self, root):
        """The columns of a root's table after Z_PK, Z_ENT and Z_OPT, in fresh order."""
        columns = []
        for entity in self.model.family(root):
            columns += self.attribute_columns(entity, INTEGERS + ("Boolean",))
            columns += self.role_columns(entity, ("key", "entity"))
            columns += [c for c in self.hidden_columns(entity) if c.role != "hidden order"]
        for entity in self.model.family(root):
            columns += self.role_columns(entity, ("order",))
            columns += [c for c in self.hidden_columns(entity) if c.role == "hidden order"]
        for types in TYPE_GROUPS:
            for entity in self.model.family(root):
                columns += self.attribute_columns(entity, types)
        return columns

    def attribute_columns(self, entity, types):
        own = [a for a in column_order(self.model.entities[entity])
               if a.stored and a.type in types]
        return [self.columns[entity, a.name, "attribute"] for a in own]

    def role_columns(self, entity, roles):
        own = sorted(r.name for r in self.model.entities[entity].relationships)
        return [self.columns[entity, name, role] for name in own for role in roles
                if (entity, name, role) in self.columns]

    # Join tables

    def key_columns(self, entity, name):
        """The columns of a to-one whose names are keys of the entity's hash table."""
        found = [self.column(entity, name, role) for role in ("key", "entity")]
        return [each.name for each in found if each]

    def name_joins(self):
        settled = set()
        for entity in sorted(self.model.entities, key=folded):
            if not any(r.to_many for _, r in self.model.relationships(entity)):
                continue
            for key in key_order(self.model, entity, self.key_columns):
                found = self.model.find(entity, key)
                if not found or not hasattr(found[1], "destination"):
                    continue
                declarer, each = found
                if (declarer, key) in settled or each.transient \
                        or not self.model.is_many_to_many(declarer, each):
                    continue
                partner = self.model.inverse(declarer, each)
                settled |= {(declarer, key), (partner[0], partner[1].name)}
                self.joins.append(self.name_join((declarer, each), partner))

    def name_join(self, master, partner):
        (entity, relationship), (other, inverse) = master, partner
        number, upper = self.numbers[entity], relationship.name.upper()
        table = "Z_%d%s" % (number, upper)
        own_names = self.names[self.model.root(entity)]
        if inverse is relationship:
            return self.own_inverse_join(table, entity, relationship, own_names)
        other_names = self.names[self.model.root(other)]
        after_master = "%d%s" % (self.numbers[other], upper)
        after_partner = "%d%s" % (number, inverse.name.upper())
        members = other_names.take("Z_" + after_master)
        owners = own_names.take("Z_" + after_partner)
        partner_order = own_names.take("Z_FOK_" + after_partner) if inverse.ordered else None
        master_order = other_names.take("Z_FOK_" + after_master) if relationship.ordered else None
        columns = [owners, members] + [c for c in (partner_order, master_order) if c]
        return Join(table, Side(entity, relationship.name, owners, members, master_order),
                    Side(other, inverse.name, members, owners, partner_order), tuple(columns))

    def own_inverse_join(self, table, entity, relationship, names):
        owners, members = names.take(table), "REFLEXIVE"
        order = "FOK_REFLEXIVE" if relationship.ordered else None
        side = Side(entity, relationship.name, owners, members, order)
        columns = (owners, members) + ((order,) if order else ())
        return Join(table, side, side, columns)

    def join(self, declarer, name):
        """The join table and the side of a relationship, or None."""
        for each in self.joins:
            side = each.side(declarer, name)
            if side:
                return each, side
        return None

    # Statements

    def create_tables(self):
        statements = []
        for root in self.model.roots():
            parts = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
            parts += ["%s %s" % (c.name, c.declared) for c in self.table_columns(root)]
            statements.append("CREATE TABLE %s ( %s )" % (self.table(root), ", ".join(parts)))
        for join in self.joins:
            parts = [name + " INTEGER" for name in join.columns]
            parts.append("PRIMARY KEY (%s, %s)" % join.columns[:2])
            statements.append("CREATE TABLE %s ( %s )" % (join.table, ", ".join(parts)))
        return statements
