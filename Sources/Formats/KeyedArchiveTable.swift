extension KeyedArchive {
  /// The numbered objects of an archive: which place of the property list each UID means.
  struct ObjectTable: Sendable {
    /// The place of the first object, which stands for nil.
    let first: Int
    private let places: [Int]

    // What is small is not worth sharing; what is larger costs each time it is met.
    private static let small = 256
    // No class has more above it; NSObject is one below most.
    private static let mostClasses = 32

    /// Finds the table, and checks every reference to it.
    init(_ list: BinaryPropertyList) throws(FormatError) {
      guard let objects = list.value(of: "$objects", in: list.top),
        case .array(let places) = list.node(objects), let first = places.first
      else { throw FormatError(.keyedArchive, "has no list of objects") }
      (self.first, self.places) = (first, places)
      for index in 0..<list.count {
        if let uid = list.uid(index), uid >= places.count {
          throw FormatError(.keyedArchive, "refers to object \(uid) of \(places.count)")
        }
      }
      try checkSharing(in: list)
    }

    /// The place that a UID means, any other place itself.
    func resolve(_ place: Int, in list: BinaryPropertyList) -> Int {
      guard let uid = list.uid(place), let number = Int(exactly: uid), number < places.count else {
        return place
      }
      return places[number]
    }

    /// Refuses an archive that becomes much larger when each reference is followed once.
    ///
    /// A reader of an archive decodes an object for each reference to it, with its text or list one
    /// step further: without this a million references to one long string would take hours.
    private func checkSharing(in list: BinaryPropertyList) throws(FormatError) {
      var costs = (0..<list.count).map(list.size)
      let sizes = costs
      for index in 0..<list.count {
        for place in list.references(from: index) {
          let size = sizes[resolve(place, in: list)]
          if size > Self.small { costs[index] += size }
        }
      }
      var room = min(list.limits.bytes, .max / 16) * 16
      for index in 0..<list.count {
        for place in list.references(from: index) {
          room -= costs[resolve(place, in: list)]
          guard room >= 0 else {
            throw FormatError(.keyedArchive, "unfolds into too many bytes")
          }
        }
      }
    }

    /// The names of all classes that objects say they are of.
    func classes(in list: BinaryPropertyList) -> [Int: [String]] {
      var classes: [Int: [String]] = [:]
      for place in places {
        guard let reference = list.value(of: "$class", in: place) else { continue }
        let index = resolve(reference, in: list)
        if classes[index] == nil { classes[index] = names(index, in: list) }
      }
      return classes
    }

    /// The name of a class, then those of all above it.
    private func names(_ index: Int, in list: BinaryPropertyList) -> [String] {
      func name(_ place: Int) -> String? {
        guard case .scalar(let value) = list.node(place) else { return nil }
        return value.string
      }
      guard let own = list.value(of: "$classname", in: index).flatMap(name) else { return [] }
      let chain = list.value(of: "$classes", in: index)
        .map { list.references(from: $0, limit: Self.mostClasses) }
      return [own] + (chain ?? []).compactMap(name).filter { $0 != own }
    }
  }
}
