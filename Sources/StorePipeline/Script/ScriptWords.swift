import CoreDataStore
import Lua

/// The words that a script's file may use besides Lua's own: `from` and `params`.
enum ScriptWords {
  /// What errors call their text.
  private static let name = "the words of a script"
  private static let module = "script_words"
  private static let words = ["from", "params"]

  /// The name under which a table keeps what `from` was given.
  static let fromKey = "$from"

  /// Adds them to a state; nothing else may be known of the module they are made by.
  static func define(in state: LuaState, params: LuaValue) throws {
    try state.define("near", in: module) { arguments in
      let names = arguments.last?.table?.list.compactMap(\.text) ?? []
      let near = arguments.first?.text.flatMap { NearestName.of($0, among: names) }
      return [near.map { .text($0) } ?? .null]
    }
    let made = try state.load(text, name: name).callKeepingResult([.value(params)])
    try state.define(module, as: nil)
    for word in words { try state.define(word, as: made.field(word)) }
  }

  private static let text = #"""
    local near = script_words.near
    local given = ...

    -- Data that can be read and listed, not written: what a script kept there for a later object
    -- would be lost when a run resumes after a stop.
    local function sealed(data, what)
      if type(data) ~= "table" then return data end
      local values, names = {}, {}
      for key, value in pairs(data) do
        values[key] = sealed(value, what)
        if type(key) == "string" then names[#names + 1] = key end
      end
      return setmetatable({}, {
        __metatable = false,
        __len = function() return #values end,
        __pairs = function() return pairs(values) end,
        __newindex = function() error(what .. " can be read, not written", 2) end,
        __index = function(_, key)
          local value = values[key]
          if value ~= nil or type(key) ~= "string" then return value end
          local meant = near(key, names)
          if meant then
            error(what .. " has no '" .. key .. "'; did you mean '" .. meant .. "'?", 2)
          end
        end,
      })
    end

    return {
      params = sealed(given, "params"),
      from = function(name)
        if type(name) ~= "string" or name == "" then
          error("'from' needs a name in quotes: from \"attribute\"", 2)
        end
        return { ["$from"] = name }
      end,
    }
    """#
}

extension OptionValue {
  /// The value as scripts see it: durations are seconds, sizes are bytes.
  var scriptValue: LuaValue {
    switch self {
    case .duration(let duration): .real(duration / .seconds(1))
    case .size(let bytes): .integer(bytes)
    case .list(let values): .list(values.map(\.scriptValue))
    case .table(let values): .fields(values.mapValues(\.scriptValue))
    default: luaValue
    }
  }
}
