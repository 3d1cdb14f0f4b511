internal import CoreDataStore
internal import Formats
internal import Foundation

extension ModelLint {
  /// The findings as the JSON that programs rely on.
  var json: JSONValue {
    [
      "rules": .texts(rules.map(\.name)), "path": .string(path),
      "findings": .array(
        findings.map { finding in
          [
            "rule": .string(finding.rule.name), "group": .string(finding.rule.group.rawValue),
            "level": .string(finding.level), "subject": .string(finding.subject),
            "why": .string(finding.words), "line": .count(finding.line),
            "allowed": .text(finding.reason),
          ]
        }),
      "failures": .integer(Int64(failures.count)),
      "unused": .array(
        unused.map { allowance in
          [
            "rule": .string(allowance.rule), "subject": .text(allowance.subject),
            "reason": .string(allowance.reason), "file": .text(allowance.file),
            "line": .count(allowance.line),
          ]
        }),
    ]
  }

  /// The findings in the Static Analysis Results Interchange Format, version 2.1.0 of OASIS.
  ///
  /// What is allowed is there with a suppression, whose justification is the reason.
  package var sarif: String {
    let driver: JSONValue = [
      "name": "pipeline", "semanticVersion": .string(LibraryVersions.own),
      "rules": .array(rules.map(\.sarif)),
    ]
    let document: JSONValue = [
      "$schema": .string(Self.schema),
      "version": "2.1.0",
      "runs": [
        [
          "tool": ["driver": driver], "columnKind": "unicodeCodePoints",
          "results": .array(findings.map(result)),
        ]
      ],
    ]
    return document.text(.pretty)
  }

  private static let schema =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

  private func result(_ finding: Finding) -> JSONValue {
    let place = JSONValue.Member("artifactLocation", ["uri": .string(uri)])
    let region = finding.line.map {
      JSONValue.Member("region", ["startLine": .integer(Int64($0))])
    }
    let kind = finding.subject.contains(".") ? "member" : "type"
    var members: [JSONValue.Member] = [
      .init("ruleId", .string(finding.rule.name)),
      .init("ruleIndex", .count(rules.firstIndex { $0.name == finding.rule.name })),
      .init("level", .string(finding.level)),
      .init("message", ["text": .string("\(finding.subject): \(finding.words)")]),
      .init(
        "locations",
        [
          [
            "physicalLocation": .object([place] + [region].compactMap(\.self)),
            "logicalLocations": [
              ["fullyQualifiedName": .string(finding.subject), "kind": .string(kind)]
            ],
          ]
        ]),
      // The same finding in a later version of the file: lines move, the subject stays.
      .init(
        "partialFingerprints",
        ["subject/v1": .string("\(finding.rule.name):\(finding.subject)")]),
    ]
    if let reason = finding.reason {
      members.append(
        .init(
          "suppressions",
          [["kind": "external", "status": "accepted", "justification": .string(reason)]]))
    }
    return .object(members)
  }

  /// The path as RFC 3986 writes it: relative where it was given so.
  private var uri: String {
    let own = CharacterSet.urlPathAllowed.subtracting(CharacterSet(charactersIn: ":"))
    let encoded = path.addingPercentEncoding(withAllowedCharacters: own) ?? path
    return path.hasPrefix("/") ? "file://\(encoded)" : encoded
  }
}

extension LintRule {
  fileprivate var sarif: JSONValue {
    [
      "id": .string(name), "shortDescription": ["text": .string(summary)],
      "fullDescription": ["text": .string("\(summary) \(group.summary)")],
      "properties": ["tags": [.string(group.rawValue)]],
    ]
  }
}
