"""Compares a Kubernetes manifest with the published schema of its kind.

    validate.py SCHEMA MANIFEST

Prints a line for each mistake, and ends with 1 if there is one. Of JSON Schema it knows what that
schema uses; a word that it does not know is an error, and no mistake is missed because of it.
"""

import json
import sys

import yaml

TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "integer": int,
    "number": (int, float), "null": type(None),
}
KNOWN = {"type", "properties", "required", "additionalProperties", "items", "enum", "oneOf", "format",
         "$ref", "$schema", "source", "definitions"}


def is_of(value, kind):
    if isinstance(value, bool) and kind != "boolean":
        return False
    return isinstance(value, TYPES[kind])


def mistakes(value, schema, root, place):
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"the schema says {', '.join(sorted(unknown))} at {place}")
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/definitions/")
        yield from mistakes(value, root["definitions"][name], root, place)
        return
    if "oneOf" in schema:
        if not any(not list(mistakes(value, one, root, place)) for one in schema["oneOf"]):
            yield f"{place}: is of none of the kinds it may be of"
        return
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if kinds and not any(is_of(value, kind) for kind in kinds):
        yield f"{place}: is no {' or '.join(kinds)}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{place}: is none of {schema['enum']}"
    if isinstance(value, dict):
        yield from mistakes_of_object(value, schema, root, place)
    if isinstance(value, list) and "items" in schema:
        for index, item in enumerate(value):
            yield from mistakes(item, schema["items"], root, f"{place}[{index}]")


def mistakes_of_object(value, schema, root, place):
    for name in schema.get("required", []):
        if name not in value:
            yield f"{place}: {name} is missing"
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for name, item in value.items():
        if name in known:
            yield from mistakes(item, known[name], root, f"{place}.{name}")
        elif others is False:
            yield f"{place}.{name}: is unknown"
        elif isinstance(others, dict):
            yield from mistakes(item, others, root, f"{place}.{name}")


def main(schema, manifest):
    with open(schema, encoding="utf-8") as file:
        root = json.load(file)
    with open(manifest, encoding="utf-8") as file:
        found = list(mistakes(yaml.safe_load(file), root, root, "job"))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
