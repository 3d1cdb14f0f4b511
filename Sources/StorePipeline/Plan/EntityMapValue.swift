internal import CoreDataStore
internal import StoreMigration

extension EntityMap.Value {
  /// Where a value comes from, as a pipeline file or a script writes it; nil for lists and tables.
  init?(_ value: OptionValue) {
    switch value {
    case .from(let name): self = .from(name)
    case .convert(let name, let type): self = .convert(name, to: AttributeType(name: type))
    case .boolean(let value): self = .constant(.boolean(value))
    case .integer(let value): self = .constant(.integer(value))
    case .number(let value): self = .constant(.real(value))
    case .text(let text): self = .constant(.string(text))
    case .duration, .size, .list, .table: return nil
    }
  }
}
