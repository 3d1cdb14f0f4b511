/// What happened to an entity or a property between two versions.
public enum Change: String, Hashable, Sendable {
  case added
  case removed
  case renamed
  case changed
  case same
}
