extension KeyedArchive {
  /// One object or plain value of an archive; cheap to copy.
  ///
  /// Two objects are the same when their `index` is: keep track of it when following references.
  package struct Object: Sendable {
    let archive: KeyedArchive
    /// The object's number in the property list.
    package let index: Int

    /// The name of the class, of an object that has one.
    package var className: String? { classNames.first }

    /// The names of the class and of all above it.
    package var classNames: [String] {
      guard let place = archive.list.value(of: "$class", in: index) else { return [] }
      return archive.classes[archive.resolve(place).index] ?? []
    }

    /// Whether this is an object of a class or of one below it.
    package func isKind(of name: String) -> Bool { classNames.contains(name) }

    /// The bytes of the object, without those of the objects that it refers to.
    package var size: Int { archive.list.size(index) }

    /// Whether this is nil or NSNull.
    package var isNull: Bool { archive.isNil(index) || className == "NSNull" }

    /// What was archived under a key, unless it is nil or NSNull.
    package subscript(key: String) -> Object? {
      field(key).flatMap { $0.isNull ? nil : $0 }
    }

    /// Everything that was archived, by key; the class is left out.
    package var fields: [String: Object] {
      guard case .dictionary(let keys, let values) = archive.list.node(index) else { return [:] }
      var fields: [String: Object] = [:]
      for (key, value) in zip(keys, values) {
        guard case .scalar(.string(let name)) = archive.list.node(key), name != "$class" else {
          continue
        }
        fields[name] = archive.resolve(value)
      }
      return fields
    }

    /// The value under a key, nil and NSNull included.
    func field(_ key: String) -> Object? {
      archive.list.value(of: key, in: index).map(archive.resolve)
    }

    /// The plain value, if this is one rather than an object or a container.
    var scalar: PropertyList? {
      guard !archive.isNil(index), case .scalar(let value) = archive.list.node(index) else {
        return nil
      }
      return value
    }

    /// The elements, if this is a plain array.
    var inline: [Object]? { inline(limit: .max) }

    /// At most `limit` elements, if this is a plain array.
    func inline(limit: Int) -> [Object]? {
      guard archive.list.isArray(index) else { return nil }
      return archive.list.references(from: index, limit: limit).map(archive.resolve)
    }
  }
}
