internal import ProcessHost

/// The standard streams of a program, and the signals that have to do with them.
package enum StandardStreams {
  /// Opens what stands for those that are closed, before another file takes their place and is
  /// written into.
  package static func occupy() { ph_occupy_standard_streams() }

  /// Has a write to a pipe without a reader fail, instead of ending the program.
  package static func outliveReaders() { ph_outlive_readers() }

  /// Whether a descriptor is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { ph_is_terminal(descriptor) }

  /// The columns of the terminal behind a descriptor, if it is one and knows.
  package static func columns(_ descriptor: Int32) -> Int? {
    let columns = Int(ph_columns(descriptor))
    return columns > 0 ? columns : nil
  }

  /// Has a signal write its number into a pipe, the first time it comes; the second ends the
  /// program.
  package static func forward(_ signal: Int32, to pipe: Int32) { ph_forward_signal(signal, pipe) }
}
