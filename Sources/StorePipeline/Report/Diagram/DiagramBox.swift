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
  var rows: [Row]

  var height: Int {
    DiagramMeasure.title + (subtitle.isEmpty ? 0 : DiagramMeasure.subtitle)
      + rows.count * DiagramMeasure.row + DiagramMeasure.foot
  }

  /// Where a line that leads to a property meets the box, measured from its top.
  func anchor(of property: String?) -> Int {
    let row = rows.firstIndex { row in
      property.map { row.name == $0 || row.standsFor.contains($0) } ?? false
    }
    guard let row else { return DiagramMeasure.title / 2 }
    let top = height - DiagramMeasure.foot - rows.count * DiagramMeasure.row
    return top + row * DiagramMeasure.row + DiagramMeasure.row / 2
  }
}
