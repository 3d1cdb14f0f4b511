/// A script that failed: where, on what, why, and what to do now.
public struct ScriptFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The script's file, or that of a module it requires.
  public var path: String
  /// The line, 0 where none is known.
  public var line: Int
  /// The text of that line.
  public var sourceLine = ""
  /// Why it failed, without values.
  public var message: String
  /// What was being done: "making Order.total", "running 'relate'".
  public var doing: String
  /// The entity of the object it failed on, and its Z_PK.
  public var entity: String?
  /// The object's Z_PK.
  public var key: Int64?
  /// Which of the entity's objects it is, counted from 1, and how many there are.
  public var row = 0
  /// How many objects the entity has.
  public var total = 0
  /// The parameters of the attribute's function, with their values when these may be shown.
  public var parameters: [Parameter] = []
  /// What the reader can do now.
  public var remedy: String
  /// Whether the store is to blame, and not the script: a large value has no file.
  public var isOfStore = false

  /// A parameter of an attribute's function.
  public struct Parameter: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Its value as text; nil when values are not shown.
    public var value: String?
  }

  /// The message as a person reads it.
  public var description: String {
    var lines = [line > 0 ? "\(path):\(line): \(message)" : "\(path): \(message)"]
    if line > 0, !sourceLine.isEmpty {
      let number = String(line)
      let margin = String(repeating: " ", count: max(0, 5 - number.count))
      lines.append("\(margin)\(number) | \(sourceLine)")
    }
    lines.append("  while \(doing)\(place)")
    if !parameters.isEmpty {
      lines.append("  given \(parameters.map(\.description).joined(separator: ", "))")
    }
    return (lines + ["  \(remedy)"]).joined(separator: "\n")
  }

  /// The object, when it failed on one.
  private var place: String {
    guard let entity, let key else { return "" }
    let row = total > 0 ? " (\(Quantity.count(row)) of \(Quantity.count(total)))" : ""
    return " from \(entity) Z_PK \(key)\(row)"
  }
}

extension ScriptFailure.Parameter: CustomStringConvertible {
  /// The name, with the value when it may be shown.
  public var description: String { value.map { "\(name) = \($0)" } ?? name }
}
