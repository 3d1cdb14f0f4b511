extension String {
  /// The text of a file in another language, which is part of the program.
  init(resource: [UInt8]) { self.init(decoding: resource, as: UTF8.self) }
}
