/// Something that is handed to another thread while the one that hands it waits.
///
/// Sendable because ``ScriptThread`` waits: the two threads never look at it at the same time.
struct Handed<Value>: @unchecked Sendable {
  let value: Value

  init(_ value: Value) { self.value = value }
}
