internal import CoreDataStore

/// One entity as a box: a title, and a row a property.
struct DiagramBox: Equatable {
  /// One property, or a line that stands for several.
  struct Row: Equatable {
    /// The property's name; nil for a line that stands for several.
    var name: String?
    /// What it holds.
    var type: String
    /// What happened to it.
    var change = Change.same
    /// What happened to it in words, for who asks.
    var words = ""
    /// Why Core Data cannot infer it.
    var obstacle: String?
    /// The properties a line stands for.
    var standsFor: [String] = []
  }

  /// The entity's name.
  var name: String
  /// What happened to it.
  var change: Change
  /// What happened to it, in words.
  var words: String
  /// Parent, abstractness, the other name: the line below the title.
  var subtitle: String
  /// Why Core Data cannot infer what happens to the entity.
  var obstacle: String?
  let rows: [Row]
  /// The row of each property.
  private let places: [String: Int]

  init(
    name: String, change: Change, words: String, subtitle: String, obstacle: String? = nil,
    rows: [Row]
  ) {
    (self.name, self.change, self.words) = (name, change, words)
    (self.subtitle, self.obstacle, self.rows) = (subtitle, obstacle, rows)
    let named = rows.enumerated().flatMap { place, row in
      (row.standsFor + [row.name].compactMap(\.self)).map { ($0, place) }
    }
    places = Dictionary(named) { first, _ in first }
  }

  var height: Int {
    DiagramMeasure.title + (subtitle.isEmpty ? 0 : DiagramMeasure.subtitle)
      + rows.count * DiagramMeasure.row + DiagramMeasure.foot
  }

  /// Where a line that leads to a property meets the box, measured from its top.
  func anchor(of property: String?) -> Int {
    guard let property, let row = places[property] else { return DiagramMeasure.title / 2 }
    let top = height - DiagramMeasure.foot - rows.count * DiagramMeasure.row
    return top + row * DiagramMeasure.row + DiagramMeasure.row / 2
  }
}
