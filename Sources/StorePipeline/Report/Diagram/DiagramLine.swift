internal import CoreDataStore

/// One line of a diagram: a relationship with its inverse, or an inheritance.
struct DiagramLine: Equatable {
  /// Where a line meets a box.
  struct End: Equatable {
    /// The box, by its place in the list of entities.
    var box: Int
    /// The property; nil for the box as a whole.
    var property: String?
    /// What is drawn there.
    var mark: Mark
  }

  /// What is drawn where a line meets a box.
  enum Mark: Equatable {
    /// Nothing leads there.
    case none
    /// At most one object of that entity.
    case one
    /// Any number of objects of that entity.
    case many
    /// The entity that is inherited from.
    case parent
  }

  /// Where it begins.
  var from: End
  /// Where it ends.
  var to: End
  /// What happened to it.
  var change: Change
  var words: String
}
