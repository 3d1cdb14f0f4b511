"""Persistent history: its tables, the bitmaps of changed columns, the values of deleted objects."""

NUMBERS = {"CHANGE": 16001, "TRANSACTION": 16002, "TRANSACTIONSTRING": 16003}
MARKER = "com.apple.coredata.schemamigrator"
INSERTED, UPDATED, DELETED = 0, 1, 2

KEYS = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
TRANSACTION_COLUMNS = ("ZAUTHORTS INTEGER", "ZBUNDLEIDTS INTEGER", "ZCONTEXTNAMETS INTEGER",
                       "ZPROCESSIDTS INTEGER", "ZTIMESTAMP FLOAT", "ZAUTHOR VARCHAR",
                       "ZBUNDLEID VARCHAR", "ZCONTEXTNAME VARCHAR", "ZPROCESSID VARCHAR",
                       "ZQUERYGEN BLOB")


def create_tables(model):
    changed = ["ZCHANGETYPE INTEGER", "ZENTITY INTEGER", "ZENTITYPK INTEGER",
               "ZTRANSACTIONID INTEGER", "ZCOLUMNS BLOB"]
    changed += ["ZTOMBSTONE%d BLOB" % n for n in range(tombstone_count(model))]
    return [
        "CREATE TABLE ACHANGE ( %s, %s )" % (KEYS, ", ".join(changed)),
        "CREATE TABLE ATRANSACTION ( %s, %s )" % (KEYS, ", ".join(TRANSACTION_COLUMNS)),
        "CREATE TABLE ATRANSACTIONSTRING ( %s, ZNAME VARCHAR )" % KEYS,
    ]


def create_indexes():
    made = {}
    for table, column in [("ACHANGE", "ZTRANSACTIONID")] + [
            ("ATRANSACTION", "Z%sTS" % each)
            for each in ("AUTHOR", "BUNDLEID", "CONTEXTNAME", "PROCESSID")]:
        name = "%s_%s_INDEX" % (table, column)
        made[name] = "CREATE INDEX %s ON %s (%s)" % (name, table, column)
    for name, column in (("Author", "ZAUTHOR"), ("Timestamp", "ZTIMESTAMP")):
        full = "Z_TRANSACTION_Transaction%sIndex" % name
        made[full] = "CREATE INDEX %s ON ATRANSACTION (%s COLLATE BINARY ASC)" % (full, column)
    full = "Z_TRANSACTIONSTRING_UNIQUE_NAME"
    made[full] = "CREATE UNIQUE INDEX %s ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)" % full
    return made


def tombstone_names(model, entity):
    """What is kept of a deleted object, in the order of the slots."""
    names = []
    for each in reversed(model.chain(entity)):
        listed = model.entities[each].user_info.get("NSPersistentHistoryTombstoneAttributes", "")
        names += [name.strip() for name in listed.split(",") if name.strip()]
        for level in model.chain(each):
            own = model.entities[level].attributes
            names += sorted(a.name for a in own if a.preserved and a.stored)
    return list(dict.fromkeys(names))


def tombstone_count(model):
    return max((len(tombstone_names(model, name)) for name in model.entities), default=0)


def bits(layout, entity):
    """The bits of an entity's bitmap, first to last: pairs of role and property name."""
    model, found = layout.model, []
    for roles in (("key", "hidden"), ("entity", "hidden entity"), ("order", "hidden order"),
                  ("attribute",)):
        for level in model.chain(entity):
            own = [c for c in layout.columns.values() if c.declarer == level
                   and c.role == roles[0]]
            found += sorted((roles[0], c.property) for c in own)
            if len(roles) > 1:
                found += sorted((c.role, c.property) for c in layout.hidden_columns(level)
                                if c.role == roles[1])
    for many_to_many in (False, True):
        for level in model.chain(entity):
            own = [r.name for r in model.entities[level].relationships if r.to_many
                   and not r.transient and model.is_many_to_many(level, r) == many_to_many]
            found += [("many", name) for name in sorted(own)]
    return found


def pack(layout_bits, chosen):
    """The bitmap with these bits set; most significant bit first."""
    packed = bytearray((len(layout_bits) + 7) // 8)
    for position, bit in enumerate(layout_bits):
        if bit in chosen:
            packed[position // 8] |= 0x80 >> position % 8
    return bytes(packed)


def unpack(layout_bits, bitmap):
    return {bit for position, bit in enumerate(layout_bits)
            if position // 8 < len(bitmap) and bitmap[position // 8] & 0x80 >> position % 8}


def carry_bits(chosen, new_bits, renamed):
    """The bits of the new entity by the names that the old bits stand for.

    A property that changed its kind keeps its name: the bit of that name is set. The bits of
    entity and order keys are set where the same bit was.
    """
    named = {renamed.get(name, name) for role, name in chosen
             if role in ("key", "attribute", "many")}
    exact = {(role, renamed.get(name, name)) for role, name in chosen}
    return {(role, name) for role, name in new_bits
            if (role, name) in exact or role in ("key", "attribute", "many") and name in named}
