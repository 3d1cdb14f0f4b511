/// By which rule something of the target comes from something of the source.
package enum MappingRule: String, Sendable, Hashable, CaseIterable {
  case same = "same"
  case renamedByIdentifier = "renamed by identifier"
  case renamedInFile = "renamed in the file"
  case `default` = "default"
  case null = "NULL"
  case constant = "constant"
  case converted = "converted"
  case scripted = "scripted"
  /// Computed from other properties, as the target's model says.
  case derived = "derived"
}
