import Formats
import Foundation

/// What `sarif-schema-2.1.0.json` asks of the objects that a document of the command has.
///
/// The facts are those of Schemata/sarif-schema-2.1.0.json in OASIS's repository sarif-spec, the
/// schema of errata 01: of each definition the members that are used or may be used soon, what each
/// must be, and which of them must be there. The schema closes all its definitions but
/// `propertyBag` (`additionalProperties` is false), so whatever is not listed is a mistake.
enum SARIFSchema {
  /// What a value must be.
  private indirect enum Shape: Sendable {
    case text
    /// A text of the format `uri` or `uri-reference`.
    case address
    /// An integer of at least so much.
    case integer(Int64)
    /// One of some words, an `enum`.
    case word([String])
    /// An array, whose elements must differ where the schema says `uniqueItems`.
    case list(Shape, areUnique: Bool = true)
    /// An object of one of the definitions.
    case object(String)
    /// An object with any members, all of them of one shape.
    case dictionary(Shape)
    /// `propertyBag`: any members, of which `tags` is known.
    case bag
  }

  private struct Definition: Sendable {
    /// Of each of these groups one member at least must be there: `required`, and `anyOf` of these.
    var required: [[String]] = []
    var members: [String: Shape]
  }

  private static let level = Shape.word(["none", "note", "warning", "error"])

  private static let definitions: [String: Definition] = [
    "log": Definition(
      required: [["version"], ["runs"]],
      members: [
        "$schema": .address, "version": .word(["2.1.0"]),
        "runs": .list(.object("run"), areUnique: false), "properties": .bag,
      ]),
    "run": Definition(
      required: [["tool"]],
      members: [
        "tool": .object("tool"), "results": .list(.object("result"), areUnique: false),
        "columnKind": .word(["utf16CodeUnits", "unicodeCodePoints"]),
        "defaultEncoding": .text, "defaultSourceLanguage": .text, "properties": .bag,
        "redactionTokens": .list(.text),
        "originalUriBaseIds": .dictionary(.object("artifactLocation")),
        "logicalLocations": .list(.object("logicalLocation")),
      ]),
    "tool": Definition(
      required: [["driver"]],
      members: [
        "driver": .object("toolComponent"), "extensions": .list(.object("toolComponent")),
        "properties": .bag,
      ]),
    "toolComponent": Definition(
      required: [["name"]],
      members: [
        "name": .text, "organization": .text, "product": .text, "productSuite": .text,
        "fullName": .text, "version": .text, "semanticVersion": .text, "releaseDateUtc": .text,
        "shortDescription": .object("multiformatMessageString"),
        "fullDescription": .object("multiformatMessageString"), "downloadUri": .address,
        "informationUri": .address, "rules": .list(.object("reportingDescriptor")),
        "notifications": .list(.object("reportingDescriptor")), "properties": .bag,
      ]),
    "reportingDescriptor": Definition(
      required: [["id"]],
      members: [
        "id": .text, "deprecatedIds": .list(.text), "name": .text, "deprecatedNames": .list(.text),
        "shortDescription": .object("multiformatMessageString"),
        "fullDescription": .object("multiformatMessageString"),
        "help": .object("multiformatMessageString"), "helpUri": .address,
        "messageStrings": .dictionary(.object("multiformatMessageString")),
        "defaultConfiguration": .object("reportingConfiguration"), "properties": .bag,
      ]),
    "reportingConfiguration": Definition(members: ["level": level, "properties": .bag]),
    "multiformatMessageString": Definition(
      required: [["text"]], members: ["text": .text, "markdown": .text, "properties": .bag]),
    "message": Definition(
      required: [["text", "id"]],
      members: [
        "text": .text, "markdown": .text, "id": .text,
        "arguments": .list(.text, areUnique: false), "properties": .bag,
      ]),
    "result": Definition(
      required: [["message"]],
      members: [
        "ruleId": .text, "ruleIndex": .integer(-1), "level": level,
        "kind": .word(["notApplicable", "pass", "fail", "review", "open", "informational"]),
        "message": .object("message"), "locations": .list(.object("location"), areUnique: false),
        "relatedLocations": .list(.object("location")),
        "partialFingerprints": .dictionary(.text), "fingerprints": .dictionary(.text),
        "suppressions": .list(.object("suppression")), "occurrenceCount": .integer(1),
        "baselineState": .word(["new", "unchanged", "updated", "absent"]), "properties": .bag,
      ]),
    "location": Definition(
      members: [
        "id": .integer(-1), "physicalLocation": .object("physicalLocation"),
        "logicalLocations": .list(.object("logicalLocation")), "message": .object("message"),
        "properties": .bag,
      ]),
    "physicalLocation": Definition(
      required: [["address", "artifactLocation"]],
      members: [
        "artifactLocation": .object("artifactLocation"), "region": .object("region"),
        "contextRegion": .object("region"), "properties": .bag,
      ]),
    "artifactLocation": Definition(
      members: [
        "uri": .address, "uriBaseId": .text, "index": .integer(-1),
        "description": .object("message"), "properties": .bag,
      ]),
    "region": Definition(
      required: [["startLine", "charOffset", "byteOffset"]],
      members: [
        "startLine": .integer(1), "startColumn": .integer(1), "endLine": .integer(1),
        "endColumn": .integer(1), "charOffset": .integer(-1), "charLength": .integer(0),
        "byteOffset": .integer(-1), "byteLength": .integer(0), "message": .object("message"),
        "sourceLanguage": .text, "properties": .bag,
      ]),
    "logicalLocation": Definition(
      members: [
        "name": .text, "index": .integer(-1), "fullyQualifiedName": .text, "decoratedName": .text,
        "parentIndex": .integer(-1), "kind": .text, "properties": .bag,
      ]),
    "suppression": Definition(
      required: [["kind"]],
      members: [
        "kind": .word(["inSource", "external"]),
        "status": .word(["accepted", "underReview", "rejected"]), "justification": .text,
        "location": .object("location"), "properties": .bag,
      ]),
  ]

  /// Where a document is not as the schema wants it, or names a rule that it does not have.
  static func mistakes(in log: JSONValue) -> [String] {
    check(log, .object("log"), "log")
      + (log["runs"]?.array ?? []).flatMap { run in
        // SARIF 2.1.0, 3.14.23: the results are there, even if there are none, after a scan.
        run["results"] == nil ? ["run: no results"] : rules(of: run)
      }
  }

  /// A result's rule is the one at its index; no schema can say that.
  private static func rules(of run: JSONValue) -> [String] {
    let rules = run["tool"]?["driver"]?["rules"]?.array ?? []
    return (run["results"]?.array ?? []).flatMap { result -> [String] in
      let index = Int(result["ruleIndex"]?.integer ?? -1)
      let isRule = rules.indices.contains(index) && rules[index]["id"] == result["ruleId"]
      return isRule ? [] : ["ruleIndex \(index) is not \(result["ruleId"]?.string ?? "a rule")"]
    }
  }

  private static func check(_ value: JSONValue, _ shape: Shape, _ place: String) -> [String] {
    switch shape {
    case .text: return value.string == nil ? ["\(place): no text"] : []
    case .address: return isAddress(value) ? [] : ["\(place): no URI"]
    case .integer(let least):
      guard case .integer(let number) = value, number >= least else {
        return ["\(place): no integer of at least \(least)"]
      }
      return []
    case .word(let words):
      return words.contains(value.string ?? "") ? [] : ["\(place): none of \(words)"]
    case .list(let element, let areUnique):
      guard let elements = value.array else { return ["\(place): no array"] }
      let isDouble = elements.indices.contains { elements[..<$0].contains(elements[$0]) }
      return elements.flatMap { check($0, element, place) }
        + (areUnique && isDouble ? ["\(place): one twice"] : [])
    case .dictionary(let element):
      guard let members = value.members else { return ["\(place): no object"] }
      return members.flatMap { check($0.value, element, "\(place).\($0.name)") }
    case .bag:
      return value["tags"].map { check($0, .list(.text), "\(place).tags") }
        ?? (value.members == nil ? ["\(place): no object"] : [])
    case .object(let name): return check(value, of: name)
    }
  }

  private static func check(_ value: JSONValue, of name: String) -> [String] {
    guard let definition = definitions[name], let members = value.members else {
      return ["\(name): no object"]
    }
    let names = members.map(\.name)
    let missing = definition.required.filter { group in !group.contains(where: names.contains) }
    return missing.map { "\(name): no \($0.joined(separator: " or "))" }
      + members.flatMap { member in
        definition.members[member.name].map { check(member.value, $0, "\(name).\(member.name)") }
          ?? ["\(name): \(member.name) is not known"]
      }
  }

  /// RFC 3986 has no blanks in a URI.
  private static func isAddress(_ value: JSONValue) -> Bool {
    guard let text = value.string, !text.contains(where: \.isWhitespace) else { return false }
    return URL(string: text, encodingInvalidCharacters: false) != nil
  }
}
