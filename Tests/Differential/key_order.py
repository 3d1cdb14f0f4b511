"""The order in which Core Data's hash tables list the property keys of an entity.

It decides which side of a many-to-many gives the join table its name: the one met first. Two kinds
of table take part. One grows and is filled first; the other has a size for its number of keys and
is filled from the first one's list.
"""

CAPACITIES = (4, 8, 17, 29, 47, 76, 123, 199, 322, 521, 843, 1364, 2207, 3571, 5778, 9349)
BUCKETS = (5, 11, 23, 41, 67, 113, 199, 317, 521, 839, 1361, 2207, 3571, 5779, 9349, 15121)
SYSTEM_KEYS = ("_ent", "_pk", "_opt")
WORD = 0xFFFFFFFF


def units(text):
    """The UTF-16 units of a text."""
    raw = text.encode("utf-16-le")
    return [raw[i] | raw[i + 1] << 8 for i in range(0, len(raw), 2)]


def hash_units(length, chosen):
    h = length
    for i in range(0, len(chosen) - len(chosen) % 4, 4):
        a, b, c, d = chosen[i:i + 4]
        h = (h * 67503105 + a * 16974593 + b * 66049 + c * 257 + d) & WORD
    for each in chosen[len(chosen) - len(chosen) % 4:]:
        h = (h * 257 + each) & WORD
    return (h + (h << (length % 32))) & WORD


def short_hash(text):
    """The hash of the fixed-size table: of a long name both ends alone count."""
    all_units = units(text)
    chosen = all_units if len(all_units) < 24 else all_units[:8] + all_units[-16:]
    return hash_units(len(all_units), chosen)


def long_hash(text):
    """The hash of the growing table: of a very long name the middle counts too."""
    all_units = units(text)
    length = len(all_units)
    chosen = all_units
    if length > 96:
        middle = length // 2 - 16
        chosen = all_units[:32] + all_units[middle:middle + 32] + all_units[-32:]
    return hash_units(length, chosen)


def mix(a, b, c):
    """The third word of Bob Jenkins' mix of three words, of 1996."""
    for first, second, third in ((13, 8, 13), (12, 16, 5), (3, 10, 15)):
        a = ((a - b - c) & WORD) ^ (c >> first)
        b = ((b - c - a) & WORD) ^ (a << second & WORD)
        c = ((c - a - b) & WORD) ^ (b >> third)
    return c


def place(slots, start, key):
    while slots[start] is not None:
        start = (start + 1) % len(slots)
    slots[start] = key


class GrowingTable:
    """Power-of-two buckets; grows whenever its number of keys reaches a limit."""

    def __init__(self, keys=()):
        self.slots = []
        self.limit = 3
        self.keys = set()
        for key in keys:
            self.insert(key)

    def listing(self):
        return [key for key in self.slots if key is not None]

    def insert(self, key):
        if key in self.keys:
            return
        if not self.slots or len(self.keys) == self.limit:
            self.grow()
        self.keys.add(key)
        self.put(key)

    def put(self, key):
        seed = 0x4B616E65
        start = mix((seed + long_hash(key)) & WORD, seed, 1) & (len(self.slots) - 1)
        place(self.slots, start, key)

    def grow(self):
        old = self.listing()
        self.limit = 3 << (len(self.keys) // 3).bit_length()
        self.slots = [None] * (4 << ((self.limit - 1) // 3).bit_length())
        for key in old:
            self.put(key)


def fixed_listing(keys):
    """How the fixed-size table lists the keys that were put into it in this order."""
    size = next(b for c, b in zip(CAPACITIES, BUCKETS) if c >= len(keys))
    slots = [None] * size
    for key in keys:
        place(slots, short_hash(key) % size, key)
    return [key for key in slots if key is not None]


def growing_listing(model, name, key_columns):
    """The growing table of an entity; `key_columns` gives a to-one's columns."""
    entity = model.entities[name]
    start = growing_listing(model, entity.parent, key_columns) if entity.parent else SYSTEM_KEYS
    table = GrowingTable(start)
    # The order into these two helping tables is not settled by any store; names sorted.
    attributes = sorted(a.name for _, a in model.attributes(name) if a.stored)
    for each in GrowingTable(attributes).listing():
        table.insert(each)
    relationships = sorted(r.name for _, r in model.relationships(name))
    for each in GrowingTable(relationships).listing():
        for column in key_columns(name, each):
            table.insert("_" + column)
        table.insert(each)
    return table.listing()


def key_order(model, name, key_columns):
    """The property keys of an entity in the order in which Core Data visits them."""
    return fixed_listing(growing_listing(model, name, key_columns))
