/// One part of a fetch index.
public struct FetchIndexElement: Hashable, Sendable {
  /// What is indexed.
  public enum Subject: Hashable, Sendable {
    /// A property of the entity, by name.
    case property(String)
    /// A computed value.
    case expression(ModelExpression)
  }

  /// How it is indexed.
  public enum Kind: Int, Hashable, Sendable {
    /// An ordinary sorted index.
    case binary = 0
    /// A spatial index.
    case rTree = 1
  }

  /// What is indexed.
  public var subject: Subject
  /// How it is indexed.
  public var kind: Kind
  /// Whether the index runs upwards.
  public var isAscending: Bool

  /// An element with all its parts.
  public init(subject: Subject, kind: Kind = .binary, isAscending: Bool = true) {
    self.subject = subject
    self.kind = kind
    self.isAscending = isAscending
  }

  /// The property that is indexed, nil for a computed value.
  public var propertyName: String? {
    switch subject {
    case .property(let name): name
    case .expression(.keyPath(let path)): path
    case .expression: nil
    }
  }
}

extension FetchIndexElement: CustomStringConvertible {
  /// The element in words.
  public var description: String {
    let subject =
      switch subject {
      case .property(let name): name
      case .expression(let expression): expression.description
      }
    return subject + (isAscending ? "" : " descending") + (kind == .rTree ? " r-tree" : "")
  }
}
