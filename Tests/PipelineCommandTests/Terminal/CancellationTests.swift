import Foundation
import OperatingSystem
import StorePrograms
import Testing

@testable import pipeline

@Suite("Cancellation")
struct CancellationTests {
  @Test("a handler is called once, late or not") func handlers() {
    let calls = Recorder()
    let stream = calls.stream()
    let cancellation = Cancellation()
    cancellation.onCancel { stream.write("early ") }
    cancellation.cancel(.interrupted)
    cancellation.cancel(.terminated)
    cancellation.onCancel { stream.write("late") }
    #expect(calls.text == "early late")
    #expect(cancellation.status == .interrupted)
    #expect(throws: CancellationError.self) { try cancellation.check() }
  }

  @Test("Ctrl-C ends a command in order, with status 130") func interrupt() async {
    await #expect(processExitsWith: .exitCode(130)) { await runUntil(SIGINT) }
  }

  @Test("SIGTERM ends a command in order, with status 143") func terminate() async {
    await #expect(processExitsWith: .exitCode(143)) { await runUntil(SIGTERM) }
  }

  @Test("a second Ctrl-C ends at once") func twice() async {
    await #expect(processExitsWith: .signal(SIGINT)) {
      _ = signal(SIGINT, SIG_DFL)
      let cancellation = Cancellation.bySignals()
      await withCheckedContinuation { continuation in
        cancellation.onCancel { continuation.resume() }
        kill(getpid(), SIGINT)
      }
      kill(getpid(), SIGINT)
      sleep(60)
      exit(0)
    }
  }

  @Test("a signal that was ignored from the start stays ignored") func ignored() async {
    await #expect(processExitsWith: .exitCode(7)) {
      _ = signal(SIGINT, SIG_IGN)
      _ = Cancellation.bySignals()
      let before = unsafe unsafeBitCast(signal(SIGINT, SIG_DFL), to: Int.self)
      let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
      exit(before == ignored ? 7 : 1)
    }
  }

  @Test("the pipe of a reader that has gone is an error, and ends nothing") func brokenPipe() async
  {
    await #expect(processExitsWith: .exitCode(EPIPE)) {
      guard let pipe = StandardStreams.makePipe() else { exit(1) }
      close(pipe.reading)
      _ = signal(SIGPIPE, SIG_DFL)
      StandardStreams.outliveReaders()
      let stream = TextStream(descriptor: pipe.writing, capacity: 0)
      stream.write("text")
      exit((stream.failure as? SystemError)?.number ?? 0)
    }
  }
}

/// Runs a command that waits, sends this process a signal, and exits with the command's status.
///
/// The signal goes to the process, not to a thread: the concurrency runtime's threads block it.
private func runUntil(_ number: Int32) async {
  _ = signal(number, SIG_DFL)
  let cancellation = Cancellation.bySignals()
  let recorder = Recorder()
  let console = Console(output: recorder.stream(), errors: recorder.stream(), environment: [:])
  kill(getpid(), number)
  exit(await Program.probes.run(["wait"], console, cancellation).rawValue)
}
