/// Where a script says that the values of one attribute come from.
package enum ScriptAttribute: Sendable, Hashable {
  /// From an attribute of the source: `from "name"`. No Lua runs for it.
  case from(String)
  /// The same for every object. No Lua runs for it.
  case constant(OptionValue)
  /// From a function of what its parameters name in the source.
  case function(parameters: [String])
}
