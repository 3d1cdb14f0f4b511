internal import CoreDataStore
import StorePipeline

/// One thing a command accepts, and the property its value goes to.
///
/// Parsing, help, completions and the manual page are all made from these.
struct Argument<Root>: Sendable {
  /// A property an argument fills in; named by a closure, because the Swift runtime takes longer to
  /// make a key path than to read a word, and most arguments are not given.
  typealias Property<Value> = @Sendable () -> any WritableKeyPath<Root, Value> & Sendable

  /// What it looks like.
  let form: ArgumentForm
  /// Puts a value, as it was typed, where it belongs.
  let store: @Sendable (inout Root, String) throws(UsageError) -> Void

  /// The same argument for a type that holds a `Root`.
  func within<Outer>(
    _ path: @autoclosure @escaping Argument<Outer>.Property<Root>
  ) -> Argument<Outer> {
    Argument<Outer>(form: form) { [store] (outer, text) throws(UsageError) in
      try store(&outer[keyPath: path()], text)
    }
  }

  /// The same positional, which has no place in a command with this flag.
  func missing(with flag: String) -> Self {
    var form = form
    form.missingWith = flag
    return Argument(form: form, store: store)
  }

  /// The same argument, whose value is noted where it names a file.
  func noted(in path: @autoclosure @escaping Property<GivenFiles>) -> Self {
    Argument(form: form) { [form, store] (root, text) throws(UsageError) in
      try store(&root, text)
      root[keyPath: path()].note(text, for: form)
    }
  }
}

extension Argument {
  /// A value known by its place, which must be given.
  static func positional<Value: ArgumentValue>(
    _ name: String, _ property: @autoclosure @escaping Property<Value>, _ help: String,
    takes content: ArgumentForm.Content = .text
  ) -> Self {
    place(name, content, help, isRequired: true, repeats: false) { $0[keyPath: property()] = $1 }
  }

  /// One of a few names known by its place, which must be given.
  static func positional<Value: ArgumentChoice>(
    _ name: String, _ property: @autoclosure @escaping Property<Value>, _ help: String
  ) -> Self {
    place(name, .choice(Value.names), help, isRequired: true, repeats: false) {
      $0[keyPath: property()] = $1
    }
  }

  /// A value known by its place, which may be left out.
  static func optional<Value: ArgumentValue>(
    _ name: String, _ property: @autoclosure @escaping Property<Value?>, _ help: String,
    takes content: ArgumentForm.Content = .text
  ) -> Self {
    place(name, content, help, isRequired: false, repeats: false) {
      $0[keyPath: property()] = $1
    }
  }

  /// As many values as there are; at least one when `isRequired`.
  static func repeating<Value: ArgumentValue>(
    _ name: String, _ property: @autoclosure @escaping Property<[Value]>, _ help: String,
    isRequired: Bool = true, takes content: ArgumentForm.Content = .text
  ) -> Self {
    place(name, content, help, isRequired: isRequired, repeats: true) {
      $0[keyPath: property()].append($1)
    }
  }

  private static func place<Value: ArgumentValue>(
    _ name: String, _ content: ArgumentForm.Content, _ help: String, isRequired: Bool,
    repeats: Bool, put: @escaping @Sendable (inout Root, Value) -> Void
  ) -> Self {
    let form = ArgumentForm(
      name: name, kind: .positional(isRequired: isRequired, repeats: repeats),
      value: name.uppercased(), content: content, help: help)
    return Argument(form: form, put: put)
  }
}

extension Argument {
  /// `--name VALUE`, nothing unless given.
  static func option<Value: ArgumentValue>(
    _ name: String, short: Character? = nil, value: String,
    _ property: @autoclosure @escaping Property<Value?>, _ help: String,
    takes content: ArgumentForm.Content = .text
  ) -> Self {
    let form = ArgumentForm(
      name: name, kind: .option(short: short, repeats: false), value: value, content: content,
      help: help)
    return Argument(form: form) { $0[keyPath: property()] = $1 }
  }

  /// `--name VALUE`, which replaces a value that is there from the start.
  static func option<Value: ArgumentValue>(
    _ name: String, short: Character? = nil, value: String,
    _ property: @autoclosure @escaping Property<Value>, _ help: String,
    takes content: ArgumentForm.Content = .text
  ) -> Self {
    let form = ArgumentForm(
      name: name, kind: .option(short: short, repeats: false), value: value, content: content,
      help: help)
    return Argument(form: form) { $0[keyPath: property()] = $1 }
  }

  /// `--name VALUE`, as often as wanted.
  static func repeated<Value: ArgumentValue>(
    _ name: String, short: Character? = nil, value: String,
    _ property: @autoclosure @escaping Property<[Value]>, _ help: String,
    takes content: ArgumentForm.Content = .text
  ) -> Self {
    let form = ArgumentForm(
      name: name, kind: .option(short: short, repeats: true), value: value, content: content,
      help: help)
    return Argument(form: form) { $0[keyPath: property()].append($1) }
  }

  /// `--name VALUE`, where the value is one of a few names.
  static func choice<Value: ArgumentChoice>(
    _ name: String, short: Character? = nil, value: String,
    _ property: @autoclosure @escaping Property<Value>, _ help: String
  ) -> Self {
    let form = ArgumentForm(
      name: name, kind: .option(short: short, repeats: false), value: value,
      content: .choice(Value.names), help: help)
    return Argument(form: form) { $0[keyPath: property()] = $1 }
  }

  /// `--name`, off unless given.
  static func flag(
    _ name: String, short: Character? = nil,
    _ property: @autoclosure @escaping Property<Bool>, _ help: String
  ) -> Self {
    let form = ArgumentForm(
      name: name, kind: .flag(short: short), value: "", content: .text, help: help)
    return Argument(form: form) { root, _ in root[keyPath: property()] = true }
  }

  private init<Value: ArgumentValue>(
    form: ArgumentForm, put: @escaping @Sendable (inout Root, Value) -> Void
  ) {
    self.form = form
    store = { (root, text) throws(UsageError) in
      guard !text.isEmpty || !form.isPositional else {
        throw UsageError("\(form.spelling) is empty")
      }
      guard let value = Value(argument: text) else {
        throw UsageError("\(form.spelling) takes \(Value.expectation), not \(text.quoted)")
      }
      put(&root, value)
    }
  }
}
