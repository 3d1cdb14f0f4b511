"""Models as XML: a version is `NAME.xcdatamodel/contents`, a bundle `NAME.xcdatamodeld`."""

import os
import plistlib
import xml.etree.ElementTree as tree

from composites import has_composites, plain, write_composites
from hashes import model_hashes
from model import Attribute, Entity, FetchIndex, Model, Relationship


def flag(element, name, value):
    if value:
        element.set(name, "YES")


def write_attribute(parent, attribute):
    element = tree.SubElement(parent, "attribute", name=attribute.name)
    flag(element, "optional", attribute.optional)
    flag(element, "transient", attribute.transient)
    element.set("attributeType", attribute.type)
    if attribute.default is not None:
        date = attribute.type == "Date"
        element.set("defaultDateTimeInterval" if date else "defaultValueString", attribute.default)
    flag(element, "allowsExternalBinaryDataStorage", attribute.external)
    flag(element, "preserveAfterDeletion", attribute.preserved)
    if attribute.derivation:
        element.set("derived", "YES")
        element.set("derivationExpression", attribute.derivation)
    write_identity(element, attribute)


def write_identity(element, described):
    if described.identifier:
        element.set("elementID", described.identifier)
    if described.modifier:
        element.set("versionHashModifier", described.modifier)


def write_relationship(parent, relationship):
    element = tree.SubElement(parent, "relationship", name=relationship.name)
    flag(element, "optional", relationship.optional)
    flag(element, "toMany", relationship.to_many)
    if relationship.min_count:
        element.set("minCount", str(relationship.min_count))
    if relationship.most:
        element.set("maxCount", str(relationship.most))
    element.set("deletionRule", "Nullify")
    flag(element, "ordered", relationship.ordered)
    element.set("destinationEntity", relationship.destination)
    if relationship.inverse:
        element.set("inverseName", relationship.inverse)
        element.set("inverseEntity", relationship.destination)
    write_identity(element, relationship)


def write_entity(parent, entity):
    element = tree.SubElement(parent, "entity", name=entity.name, syncable="YES")
    element.set("representedClassName", entity.name)
    if entity.parent:
        element.set("parentEntity", entity.parent)
    flag(element, "isAbstract", entity.abstract)
    write_identity(element, entity)
    for attribute in plain(entity):
        write_attribute(element, attribute)
    write_composites(parent, element, entity, write_attribute)
    for relationship in entity.relationships:
        write_relationship(element, relationship)
    for index in entity.indexes:
        written = tree.SubElement(element, "fetchIndex", name=index.name)
        for name, ascending in index.elements:
            tree.SubElement(written, "fetchIndexElement", property=name, type="Binary",
                            order="ascending" if ascending else "descending")
    if entity.unique:
        constraints = tree.SubElement(element, "uniquenessConstraints")
        for names in entity.unique:
            written = tree.SubElement(constraints, "uniquenessConstraint")
            for name in names:
                tree.SubElement(written, "constraint", value=name)
    if entity.user_info:
        info = tree.SubElement(element, "userInfo")
        for key, value in entity.user_info.items():
            tree.SubElement(info, "entry", key=key, value=value)


def write_bundle(path, name, models):
    """Versions are called NAME, NAME 2, ...; the last one is the current one."""
    for number, model in enumerate(models, 1):
        version = version_name(name, number)
        root = tree.Element("model", type="com.apple.IDECoreDataModeler.DataModel",
                            documentVersion="1.0", minimumToolsVersion="Automatic",
                            sourceLanguage="Swift",
                            userDefinedModelVersionIdentifier=model.identifier)
        for entity in model.entities.values():
            write_entity(root, entity)
        tree.indent(root, "    ")
        folder = os.path.join(path, version + ".xcdatamodel")
        os.makedirs(folder, exist_ok=True)
        tree.ElementTree(root).write(os.path.join(folder, "contents"), "UTF-8", True)
        if has_composites(model):
            write_hashes(folder, version, model)
    with open(os.path.join(path, ".xccurrentversion"), "wb") as file:
        plistlib.dump({"_XCCurrentVersionName": version + ".xcdatamodel"}, file)


def write_hashes(folder, version, model):
    """Hashes that nobody can compute for certain are recorded, as in a compiled model."""
    with open(os.path.join(folder, "VersionInfo.plist"), "wb") as file:
        plistlib.dump({"NSManagedObjectModel_VersionHashes": {version: model_hashes(model)}}, file)


def version_name(name, number):
    return name if number == 1 else "%s %d" % (name, number)


def is_set(element, name):
    return element.get(name) == "YES"


def read_attribute(element):
    return Attribute(
        element.get("name"), element.get("attributeType", "Undefined"),
        optional=is_set(element, "optional"), transient=is_set(element, "transient"),
        default=element.get("defaultValueString") or element.get("defaultDateTimeInterval"),
        external=is_set(element, "allowsExternalBinaryDataStorage"),
        preserved=is_set(element, "preserveAfterDeletion"), identifier=element.get("elementID"),
        modifier=element.get("versionHashModifier"), indexed=is_set(element, "indexed"),
        derivation=element.get("derivationExpression") if is_set(element, "derived") else None)


def read_relationship(element):
    return Relationship(
        element.get("name"), element.get("destinationEntity"), element.get("inverseName"),
        to_many=is_set(element, "toMany"), ordered=is_set(element, "ordered"),
        optional=is_set(element, "optional"), min_count=int(element.get("minCount", 0)),
        max_count=int(element.get("maxCount", 0)), identifier=element.get("elementID"),
        modifier=element.get("versionHashModifier"), transient=is_set(element, "transient"))


def read_entity(element):
    entity = Entity(element.get("name"), element.get("parentEntity"),
                    is_set(element, "isAbstract"), element.get("elementID"),
                    element.get("versionHashModifier"))
    entity.attributes = [read_attribute(e) for e in element.findall("attribute")]
    entity.relationships = [read_relationship(e) for e in element.findall("relationship")]
    for constraint in element.findall("uniquenessConstraints/uniquenessConstraint"):
        entity.unique.append([e.get("value") for e in constraint.findall("constraint")])
    for index in element.findall("fetchIndex"):
        entity.indexes.append(FetchIndex(index.get("name"), [
            (e.get("property"), e.get("order") != "descending")
            for e in index.findall("fetchIndexElement")]))
    for index in element.findall("compoundIndexes/compoundIndex"):
        entity.compound.append([e.get("value") for e in index.findall("index")])
    entity.user_info = {e.get("key"): e.get("value") for e in element.findall("userInfo/entry")}
    return entity


def read_version(path):
    """Reads the file `contents` of one version."""
    root = tree.parse(path).getroot()
    return Model([read_entity(e) for e in root.findall("entity")],
                 root.get("userDefinedModelVersionIdentifier", ""))
