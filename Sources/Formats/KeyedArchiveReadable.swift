extension KeyedArchive {
  /// The whole archive as plain values, for a script: see `Object.readable()`.
  package func readable() throws(FormatError) -> PropertyList { try root.readable() }
}

extension KeyedArchive.Object {
  /// This object and all below it as plain values.
  ///
  /// Sets become arrays; UUIDs, URLs and decimal numbers become strings; an object of any other
  /// class becomes a dictionary of its fields, with the name of its class under `$class`. An object
  /// that contains itself has no plain form and is refused.
  package func readable() throws(FormatError) -> PropertyList {
    var unfolding = Unfolding(budget: FormatBudget(archive.list.limits, for: .keyedArchive))
    return try unfolding.value(self, level: 1)
  }

  private struct Unfolding {
    var budget: FormatBudget
    var open: Set<Int> = []

    mutating func value(
      _ object: KeyedArchive.Object, level: Int
    ) throws(FormatError) -> PropertyList {
      try budget.spend(size: object.archive.list.size(object.index), level: level)
      if object.isNull { return .null }
      if let plain = object.plain { return plain }
      guard open.insert(object.index).inserted else {
        throw FormatError(.keyedArchive, "an object contains itself; it has no plain form")
      }
      defer { open.remove(object.index) }
      if let elements = object.elements {
        var values: [PropertyList] = []
        for each in elements { values.append(try value(each, level: level + 1)) }
        return .array(values)
      }
      return .dictionary(try table(object, level: level))
    }

    private mutating func table(
      _ object: KeyedArchive.Object, level: Int
    ) throws(FormatError) -> [String: PropertyList] {
      var table: [String: PropertyList] = [:]
      guard let entries = object.entries else {
        for (name, field) in object.fields { table[name] = try value(field, level: level + 1) }
        if let name = object.className { table["$class"] = .string(name) }
        return table
      }
      for (key, entry) in entries {
        guard let name = key.name else {
          throw FormatError(.keyedArchive, "a dictionary's key is neither text nor number")
        }
        guard table.updateValue(try value(entry, level: level + 1), forKey: name) == nil else {
          throw FormatError(.keyedArchive, "a dictionary has the same key twice")
        }
      }
      return table
    }
  }

  /// The value of an object that holds no others.
  private var plain: PropertyList? {
    if let scalar { return scalar }
    if let string = string ?? url ?? decimal { return .string(string) }
    if let uuid { return .string(Self.text(uuid: uuid)) }
    if let data { return .data(data) }
    return date.map(PropertyList.date) ?? number
  }

  /// What a dictionary's key is called in a plain dictionary.
  private var name: String? {
    string ?? integer.map { String($0) } ?? uuid.map(Self.text(uuid:)) ?? url ?? decimal
  }

  private static func text(uuid: [UInt8]) -> String {
    var text = Hex.encode(uuid).uppercased()
    for place in [20, 16, 12, 8] {
      text.insert("-", at: text.index(text.startIndex, offsetBy: place))
    }
    return text
  }
}
