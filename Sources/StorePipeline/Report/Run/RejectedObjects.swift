internal import CoreDataStore
internal import Formats
internal import StoreMigration

extension RunSummary.Rejected {
  /// A rejected object, without its values.
  init(_ reject: Reject) {
    self.init(
      entity: reject.entity, key: reject.key, reason: reject.reason, script: reject.script,
      line: reject.line)
  }

  /// An object a line: what it is, why it was rejected, and the line of the script.
  static func lines(of objects: [Self], _ width: Int, _ style: Style) -> [String] {
    var table = TextTable(indent: 2)
    for object in objects {
      let place = object.line > 0 ? "\(object.script):\(object.line)" : object.script
      table.add("\(object.entity) \(object.key)", object.reason, place, tint: .bad)
    }
    return table.lines(width: width, style)
  }

  /// The same for programs; other members may follow.
  var members: [JSONValue.Member] {
    [
      .init("entity", .string(entity)), .init("pk", .integer(key)),
      .init("reason", .string(reason)), .init("script", .string(script)),
      .init("line", .count(line)),
    ]
  }

  var json: JSONValue { .object(members) }
}
