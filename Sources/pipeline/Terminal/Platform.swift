import Foundation
import Synchronization

/// What differs between systems' C libraries, and every pointer this layer hands to them.
enum Platform {
  /// Has all threads take memory from one heap, so that what one gives back another can use.
  ///
  /// By default glibc gives each thread "an arena" of its own, and what the thread that read the
  /// models gave back is of no use to the one that runs. mallopt(3): "M_ARENA_MAX: If this
  /// parameter has a nonzero value, it defines a hard limit on the maximum number of arenas".
  /// Swift's Glibc leaves <malloc.h> out, where the parameter is -8. Elsewhere it is left as it is.
  static func shareHeap() {
    #if canImport(Glibc)
    guard let symbol = unsafe dlsym(nil, "mallopt") else { return }
    let mallopt = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int32, Int32) -> Int32).self)
    _ = mallopt(-8, 1)
    #endif
  }

  /// Opens what stands for the standard streams that are closed, before another file takes their
  /// place and is written into.
  ///
  /// POSIX, open(): the "lowest numbered" free descriptor is taken. They stay as good as closed:
  /// the first cannot be read from, the others cannot be written to.
  static func occupyStandardStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      _ = unsafe open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Has a write to a pipe without a reader fail with EPIPE, instead of ending the program.
  ///
  /// The signal is caught and not ignored, so that programs that are started have it as ever:
  /// "Signals set to be caught by the calling process image shall be set to the default action in
  /// the new process image" (POSIX, exec).
  static func outliveReaders() { handle(SIGPIPE, flags: SA_RESTART) { _ in } }

  /// Whether a descriptor is a terminal.
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// The columns of the terminal behind a descriptor, if it is one and knows.
  static func columns(_ descriptor: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return nil
    }
    return Int(size.ws_col)
  }

  /// Writes all of a text, or throws why that failed.
  static func send(_ text: String, to descriptor: Int32) throws(SystemError) {
    var text = text
    let failure: Int32? = text.withUTF8 { bytes in
      var sent = 0
      while sent < bytes.count, let start = bytes.baseAddress {
        let count = unsafe write(descriptor, start + sent, bytes.count - sent)
        if count < 0, errno != EINTR { return errno }
        sent += max(0, count)
      }
      return nil
    }
    if let failure { throw SystemError(number: failure) }
  }

  /// Opens a file to append to, which is made if it is not there.
  ///
  /// It does not wait for who reads a FIFO: with O_NONBLOCK, "open() shall return -1 and set errno
  /// to [ENXIO]" (POSIX). Writing then waits as ever.
  static func openToAppend(_ path: String) throws(SystemError) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC
    let descriptor = unsafe open(path, flags | O_NONBLOCK, 0o666)
    guard descriptor >= 0 else { throw SystemError(number: errno) }
    _ = fcntl(descriptor, F_SETFL, O_APPEND)
    return descriptor
  }

  /// A pipe that child processes do not inherit: where to read, and where to write.
  static func makePipe() -> (reading: Int32, writing: Int32)? {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads one byte, waiting for it.
  static func readByte(_ descriptor: Int32) -> UInt8? {
    var byte: UInt8 = 0
    return unsafe read(descriptor, &byte, 1) == 1 ? byte : nil
  }

  /// Has a signal write its number into a pipe, the first time it comes.
  ///
  /// POSIX, sigaction(): with SA_RESETHAND "the disposition of the signal shall be reset to
  /// SIG_DFL" on entry to the handler, so the second Ctrl-C ends the program at once. A signal that
  /// was ignored from the start, as a shell has it for jobs in the background, stays ignored.
  static func forward(_ number: Int32, to pipe: Int32) {
    signalPipe.store(pipe, ordering: .relaxed)
    let flags = SA_RESTART | Int32(truncatingIfNeeded: SA_RESETHAND)
    handle(number, flags: flags, with: writeSignalNumber)
  }

  private static func handle(
    _ number: Int32, flags: Int32, with handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0, !action.isIgnored else { return }
    action.handle(with: handler)
    action.sa_flags = flags
    unsafe sigemptyset(&action.sa_mask)
    _ = unsafe sigaction(number, &action, nil)
  }
}

/// Why the system refused.
struct SystemError: Error, Equatable {
  /// The value of `errno`.
  let number: Int32

  /// The system's words for it.
  var message: String { unsafe String(cString: strerror(number)) }

  /// No process reads what is written: a pipe's reader has gone, or none has come.
  var isWithoutReader: Bool { number == EPIPE || number == ENXIO }
}

/// Where the signal handler writes.
///
/// An atomic, because a handler may touch little else.
private let signalPipe = Atomic<Int32>(-1)

private func writeSignalNumber(_ number: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = unsafe write(signalPipe.load(ordering: .relaxed), &byte, 1)
  errno = saved
}

extension sigaction {
  /// Whether the signal is ignored.
  fileprivate var isIgnored: Bool {
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  #if canImport(Darwin)
  private var handler: (@convention(c) (Int32) -> Void)? { unsafe __sigaction_u.__sa_handler }

  fileprivate mutating func handle(with handler: @escaping @convention(c) (Int32) -> Void) {
    unsafe __sigaction_u.__sa_handler = handler
  }
  #else
  private var handler: (@convention(c) (Int32) -> Void)? { unsafe __sigaction_handler.sa_handler }

  fileprivate mutating func handle(with handler: @escaping @convention(c) (Int32) -> Void) {
    unsafe __sigaction_handler.sa_handler = handler
  }
  #endif
}
