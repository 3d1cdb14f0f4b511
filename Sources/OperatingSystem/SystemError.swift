internal import SystemHost

/// A call to the operating system that failed.
package struct SystemError: Error, Equatable {
  /// The call's name.
  package let call: String
  /// The number that says why, `errno`.
  package let number: Int32

  /// An error of a call, by its number.
  package init(_ call: String, _ number: Int32) { (self.call, self.number) = (call, number) }

  /// The system's words for a number.
  package static func words(_ number: Int32) -> String { unsafe String(cString: sh_words(number)) }

  /// The call, and the system's words for what went wrong.
  package var message: String { "\(call): \(words)" }
  /// The system's words for what went wrong.
  package var words: String { Self.words(number) }
}

extension SystemError {
  /// What was opened is no regular file.
  package static var notRegular: Self { Self("open", sh_no_file) }
  /// A file is shorter than the system said a moment ago.
  static var cutOff: Self { Self("pread", sh_cut_off) }
  /// A file is larger than what is taken into memory.
  static var tooLarge: Self { Self("read", sh_too_large) }
  /// A name that has been looked for is taken.
  package static func taken(_ call: String) -> Self { Self(call, sh_there) }
  /// A lock that another process has.
  package static var locked: Self { Self("flock", sh_locked) }
  /// A folder is where a file is to be.
  static var folder: Self { Self("open", sh_folder) }
  /// Something that is no folder is where one is to be.
  static func noFolder(isLink: Bool) -> Self { Self("opendir", isLink ? sh_link : sh_there) }

  /// Nothing is at the path.
  package var isMissing: Bool { number == sh_missing || number == sh_missing_folder }
  /// Something has the name already.
  package var isTaken: Bool { number == sh_there }
  /// A folder that is to go has something in it.
  package var isNotEmpty: Bool { number == sh_not_empty || number == sh_there }
  /// The user may not do it.
  package var isDenied: Bool { sh_is_denied(number) }
  /// The disk has no room, or the user may not have more of it.
  package var isFull: Bool { sh_is_full(number) }
  /// The process, or the system, has as many files open as it may.
  package var isOutOfFiles: Bool { sh_is_out_of_files(number) }
  /// No process reads what is written: a pipe's reader has gone, or none has come.
  package var isWithoutReader: Bool { number == sh_no_reader || number == sh_socket }
  /// Nothing is at the path, or something that is no regular file: a link that is not followed, a
  /// socket, or what the system calls something else when it is open.
  package var isNoFile: Bool {
    isMissing || [sh_link, sh_no_file, sh_socket, sh_unsupported].contains(number)
  }

  /// What is at the path in place of a file or folder of ours, if that is why: nothing follows a
  /// link, opens a pipe or writes over a folder.
  package var obstacle: String? {
    if number == sh_link { return "a symbolic link" }
    if number == sh_folder { return "a folder" }
    let isStrange = call == "open" && (number == sh_no_file || number == sh_socket)
    return isTaken || isStrange ? "something that is no file of ours" : nil
  }
}

extension SystemError {
  /// Stands before each call that changes a file: test builds count it, and may end it here.
  @inline(__always)
  package static func gate(
    _ call: String, _ path: @autoclosure () -> String
  ) throws(SystemError) {
    #if FAULTS
    switch FileFaults.verdict(on: call, path()) {
    case .go: break
    case .fail(let number): throw SystemError(call, number)
    case .tear: FileFaults.die()
    }
    #endif
  }

  /// The result of a call, unless it is the negative number of an error.
  @discardableResult
  package static func check<Result: BinaryInteger>(
    _ call: String, _ result: Result
  ) throws(SystemError) -> Result {
    guard result >= 0 else { throw SystemError(call, Int32(truncatingIfNeeded: 0 - result)) }
    return result
  }
}
