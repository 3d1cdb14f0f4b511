internal import CoreDataStore
package import StoreMigration

/// What happened to every value and link of a store, as every form of report shows it.
package struct LossReport: Sendable, Hashable {
  /// What happened to one property, and who said so.
  package struct Line: Sendable, Hashable {
    /// What was counted.
    package let loss: PropertyLoss
    /// Where the file, a flag or a script says that something may go; nil where none does.
    package let declared: String?
    /// More about it, in words.
    package let note: String?

    /// A property with what is known of it.
    package init(_ loss: PropertyLoss, declared: String? = nil, note: String? = nil) {
      self.loss = loss
      self.declared = declared
      self.note = note
    }
  }

  /// Every attribute and relationship, entity by entity.
  package let lines: [Line]

  /// A report of these properties.
  package init(_ lines: [Line]) { self.lines = lines }

  private var counted: [Line] { lines.filter(\.loss.isCountedHere) }

  /// The values and links of the source.
  package var values: Int { counted.reduce(0) { $0 + $1.loss.values } }

  /// How many of them are lost.
  package var lost: Int { counted.reduce(0) { $0 + $1.loss.lost } }

  /// How many values of each property are lost, for those of which some are.
  var lostByProperty: [String: Int] {
    var lost: [String: Int] = [:]
    for line in counted where line.loss.lost > 0 {
      lost["\(line.loss.entity).\(line.loss.property)"] = line.loss.lost
    }
    return lost
  }

  /// How many are lost without having been given up.
  package var undeclared: Int {
    counted.filter { $0.declared == nil }.reduce(0) { $0 + $1.loss.lost }
  }

  /// The answer in a sentence or two.
  package var verdict: String {
    let all = "\(Quantity.count(values)) values and links"
    let scripted = counted.filter { $0.loss.fate == .scripted }
    let given = scripted.reduce(0) { $0 + $1.loss.values }
    let found = scripted.reduce(0) { $0 + $1.loss.arrived }
    let script =
      given == 0
      ? ""
      : " Scripts were given \(Quantity.count(given)), of which \(Quantity.count(found)) are found "
        + "as they were."
    return answer(all) + script
  }

  private func answer(_ all: String) -> String {
    guard lost > 0 else {
      return "0 of \(all) are lost: each was looked for in the new store."
    }
    let lost = "\(Quantity.count(self.lost)) of \(all) are lost"
    return switch undeclared {
    case 0: "\(lost), all of them given up where it is said below."
    case self.lost: "\(lost), none of them given up."
    default: "\(lost), \(Quantity.count(undeclared)) of them not given up."
    }
  }

  /// The properties of which something is lost, those first that no file gave up.
  var lostSection: DifferenceReport.Section {
    let lost = counted.filter { $0.loss.lost > 0 }.enumerated().sorted { one, other in
      let (a, b) = (one.element, other.element)
      if (a.declared == nil) != (b.declared == nil) { return a.declared == nil }
      return (b.loss.lost, one.offset) < (a.loss.lost, other.offset)
    }
    return DifferenceReport.Section(
      title: "What is lost", note: verdict, columns: ["Property", "Lost", "Values", "How"],
      rows: lost.map { _, line in
        [
          "\(line.loss.entity).\(line.loss.property)", Quantity.count(line.loss.lost),
          Quantity.count(line.loss.values),
          line.declared == nil ? "not given up; \(line.words)" : line.words,
        ]
      })
  }

  /// The table; where `isShort`, without the properties that have simply stayed as they were.
  package func section(isShort: Bool = false) -> DifferenceReport.Section {
    let listed = isShort ? lines.filter { !$0.isWhole } : lines
    let rest = lines.count - listed.count
    let whole = rest > 0 ? " \(Plural.text(rest, "other property")) arrived whole." : ""
    return DifferenceReport.Section(
      title: "What happened to every value", note: verdict + whole,
      columns: ["Property", "Fate", "Values", "Arrived", "Lost", "How"],
      rows: listed.map(\.cells))
  }
}

extension LossReport.Line {
  /// Whether all of it is where it was.
  fileprivate var isWhole: Bool {
    loss.fate == .kept && loss.arrived == loss.values && loss.dangling == 0
  }

  fileprivate var cells: [String] {
    [
      "\(loss.entity).\(loss.property)", loss.fate.rawValue, Quantity.count(loss.values),
      Quantity.count(loss.arrived), Quantity.count(loss.lost), words,
    ]
  }

  /// Where the values are, what happened to the others, and who said so.
  package var words: String {
    let to = loss.fate == .kept ? nil : loss.placeWords
    let counts: [(Int, String)] =
      loss.fate == .dropped
      ? [(loss.dangling, "led nowhere before")]
      : [
        (loss.changed, "changed"), (loss.emptied, loss.isRelationship ? "narrowed" : "emptied"),
        (loss.gone, "gone with objects"), (loss.dangling, "led nowhere before"),
      ]
    let parts =
      [to] + counts.filter { $0.0 > 0 }.map { "\(Quantity.count($0.0)) \($0.1)" }
      + [declared.map { "given up: \($0)" }, note]
    return parts.compactMap(\.self).joined(separator: "; ")
  }
}

extension PropertyLoss {
  /// Where the values or links are, in words.
  var placeWords: String {
    let places = places.map(\.description).joined(separator: ", ")
    return switch fate {
    case .kept: "as they were"
    case .moved: "to \(places)"
    case .derived: "computed from others"
    case .scripted: places.isEmpty ? "given to a script" : "given to a script, found in \(places)"
    case .dropped: "removed with the \(isRelationship ? "relationship" : "attribute")"
    }
  }
}
