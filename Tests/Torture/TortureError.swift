/// Something that torture cannot go on with, or that must not be.
struct TortureError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
