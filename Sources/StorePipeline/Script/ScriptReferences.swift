import CoreDataStore
import Lua
internal import StoreMigration

/// Objects as they cross the border to a script: `{ "$object", side, entity, key }`.
enum ScriptReferences {
  private static let mark = LuaValue.text("$object")

  /// What stands for a composite attribute in Lua; its parts have these names, and are read by
  /// their paths.
  static func composite(_ names: [String]) -> LuaValue {
    .list((["$composite"] + names).map(LuaValue.text))
  }

  static func value(_ object: ScriptObject) -> LuaValue {
    .list([mark, .text(object.side.rawValue), .text(object.id.entity), .integer(object.id.key)])
  }

  /// References to objects of one side.
  static func values(_ ids: [ObjectID], _ side: ScriptSide) -> LuaValue {
    .list(ids.map { value(ScriptObject(side, $0)) })
  }

  /// The object that a value refers to; nil when it refers to none.
  static func object(_ value: LuaValue?) -> ScriptObject? {
    guard let parts = value?.table?.list, parts.count == 4, parts[0] == mark,
      let side = parts[1].text.flatMap(ScriptSide.init), let entity = parts[2].text,
      let key = parts[3].integer
    else { return nil }
    return ScriptObject(side, ObjectID(entity: entity, key: key))
  }
}
