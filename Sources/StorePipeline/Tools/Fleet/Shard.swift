extension StoreList {
  /// One of several equal parts of a list of stores, so that a task of an engine has many stores.
  ///
  /// Line `k` belongs to part `((k - 1) mod N) + 1`: each task reads the same list and takes its
  /// own lines, and the tasks share nothing.
  package struct Shard: Sendable, Hashable {
    /// Which part it is, from 1 on.
    package let number: Int
    /// How many parts the list has in all.
    package let count: Int

    /// Reads `3/64`; nil where that is no part.
    package init?(_ text: String) {
      let words = text.split(separator: "/", omittingEmptySubsequences: false)
      let numbers = words.compactMap { $0.allSatisfy(\.isASCII) ? Int($0) : nil }
      guard words.count == 2, numbers.count == 2, numbers[0] >= 1, numbers[0] <= numbers[1],
        !text.contains("+")
      else { return nil }
      (number, count) = (numbers[0], numbers[1])
    }

    /// The elements of a list that belong to the part, in their order.
    package func part<Element>(of list: [Element]) -> [Element] {
      stride(from: number - 1, to: list.count, by: count).map { list[$0] }
    }
  }
}
