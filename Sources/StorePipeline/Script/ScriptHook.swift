/// The moments at which a script may take part, in the order they come in.
///
/// They stand for the methods of Core Data's `NSEntityMigrationPolicy`.
public enum ScriptHook: String, Sendable, Hashable, CaseIterable {
  /// Before the first object.
  case begin
  /// For each object of the source: makes none, one or many of the new version.
  case create
  /// After the last object of the source.
  case created
  /// For each object that was made, when all objects of all entities are there.
  case relate
  /// After the last of them.
  case related
  /// When everything is in place, to say what is wrong with it.
  case validate
  /// At the end.
  case finish

  /// The hook as a script writes it.
  var usage: String {
    switch self {
    case .create: "create = function(source, new, ctx) ... end"
    case .relate: "relate = function(object, ctx) ... end"
    default: "\(rawValue) = function(ctx) ... end"
    }
  }
}
