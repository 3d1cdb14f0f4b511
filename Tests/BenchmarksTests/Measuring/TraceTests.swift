import Foundation
import TestSupport
import Testing

@testable import Benchmarks

@Suite("A trace", .temporaryFolder) struct TraceTests {
  @Test("bytes are those that the calls say went to files or came from them")
  func bytes() {
    let trace = Self.trace(
      """
      7 pwrite64(3</a/b>, ""..., 4096, 0) = 4096
      7 write(3</a/b>, ""..., 4096) = 100
      8 writev(3</a/b=c>, [{iov_base=""..., iov_len=5}], 1) = 5
      7 copy_file_range(3</a/b>, [0], 4</a/c>, [0], 50, 0) = 50
      7 pread64(3</a/b>, ""..., 4096, 4096) = 4000
      7 write(3</a/b>, ""..., 4096) = -1 ENOSPC (No space left on device)
      7 write(1<pipe:[123]>, ""..., 10) = 10
      7 write(2</dev/null>, ""..., 10) = 10
      7 read(5</proc/self/status>, ""..., 1024) = 1024
      """)
    #expect(trace.written == 4251)
    #expect(trace.read == 4000)
  }

  @Test("every call that waits for the disk is a sync")
  func syncs() {
    let trace = Self.trace(
      """
      7 fsync(3</a/b>) = 0
      7 fdatasync(3</a/b>) = 0
      7 sync_file_range(3</a/b>, 0, 0, SYNC_FILE_RANGE_WRITE) = 0
      7 msync(0x7f0000000000, 4096, MS_SYNC) = 0
      7 fsync(3</a/b>) = -1 EIO (Input/output error)
      """)
    #expect(trace.syncs == 4)
  }

  @Test("each file has what was done with it, by a name that is the same in each run")
  func uses() {
    var trace = Trace(of: 1000, in: "/run")
    for line in """
    7 pwrite64(3</run/w/backups/2026-11-25T101500Z-0a1b2c3d/N.sqlite>, ""..., 40, 0) = 40
    7 pwrite64(3</run/w/backups/2026-11-25T101501Z-4e5f6a7b/N.sqlite>, ""..., 2, 0) = 2
    7 pread64(4</run/w/etilqs_12ab (deleted)>, ""..., 30, 0) = 30
    7 copy_file_range(3</run/a>, [0], 5</run/b>, [0], 50, 0) = 50
    7 read(6</etc/passwd>, ""..., 20) = 20
    7 fsync(3</run/w>) = 0
    7 fsync(3</run>) = 0
    7 sync() = 0
    7 msync(0x7f0000000000, 4096, MS_SYNC) = 0
    """.split(separator: "\n") { trace.add(String(line)) }
    #expect(
      trace.uses == [
        "w/backups/*/N.sqlite": Trace.Use(written: 42), "w/*": Trace.Use(read: 30),
        "b": Trace.Use(written: 50), "outside": Trace.Use(read: 20), "w": Trace.Use(syncs: 1),
        ".": Trace.Use(syncs: 1), "no file": Trace.Use(syncs: 2),
      ])
    #expect((trace.written, trace.read, trace.syncs) == (92, 50, 4))
  }

  @Test("calls of processes that interrupt each other are each put together")
  func interrupted() {
    let trace = Self.trace(
      """
      17    pwrite64(3</a/b>, ""..., 4096, 0 <unfinished ...>
      18    fsync(4</a/c> <unfinished ...>
      17    <... pwrite64 resumed>) = 4096
      19    <... read resumed>""..., 100) = 100
      18    <... fsync resumed>) = 0
      """)
    #expect(trace.written == 4096)
    #expect(trace.syncs == 1)
    #expect(trace.read == 0)
  }

  @Test("a file is made by the call that opens it for the first time")
  func files() {
    let trace = Self.trace(
      """
      7 openat(AT_FDCWD</a>, "old", O_RDONLY|O_CLOEXEC) = 3</a/old>
      7 openat(AT_FDCWD</a>, "old", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 3</a/old>
      7 openat(AT_FDCWD</a>, "new", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 4</a/new>
      7 openat(AT_FDCWD</a>, "new", O_RDWR|O_CREAT|O_CLOEXEC, 0644) = 5</a/new>
      7 openat(AT_FDCWD</a>, "none", O_WRONLY|O_CREAT|O_EXCL, 0600) = -1 EEXIST (File exists)
      7 openat(AT_FDCWD</a>, "/a", O_RDWR|O_TMPFILE, 0600) = 6</a/#12>(deleted)
      7 openat(AT_FDCWD</a>, "/a", O_RDWR|O_TMPFILE, 0600) = 6</a/#12>(deleted)
      """)
    #expect(trace.files == 3)
  }

  @Test("one that was removed or renamed is made once more, one that got its name is there")
  func removed() {
    let trace = Self.trace(
      """
      7 openat(AT_FDCWD</a>, "/a/j", O_RDWR|O_CREAT, 0644) = 4</a/j>
      7 unlink("/a/j") = 0
      7 openat(AT_FDCWD</a>, "/a/j", O_RDWR|O_CREAT, 0644) = 4</a/j>
      7 unlinkat(3</a>, "j", 0) = 0
      7 openat(AT_FDCWD</a>, "/a/j", O_RDWR|O_CREAT, 0644) = 4</a/j>
      7 rename("/a/j", "/a/k") = 0
      7 openat(AT_FDCWD</a>, "/a/k", O_RDWR|O_CREAT, 0644) = 4</a/k>
      7 openat(AT_FDCWD</a>, "/a/j", O_RDWR|O_CREAT, 0644) = 4</a/j>
      7 linkat(3</a>, "j", 3</a>, "l", 0) = 0
      7 openat(AT_FDCWD</a>, "/a/l", O_RDWR|O_CREAT, 0644) = 4</a/l>
      7 unlink("/a/none") = -1 ENOENT (No such file or directory)
      """)
    #expect(trace.files == 4)
  }

  @Test("what is no call is passed over")
  func others() {
    let trace = Self.trace("\n7\n7 +++ exited with 0 +++\n7 exit_group(0) = ?\n7 = 1\n7 fsync(\n")
    #expect(trace.syncs + trace.files + trace.read + trace.written == 0)
  }

  @Test("a file is read in pieces, and a line may lie on two of them")
  func pieces() throws {
    let file = TemporaryFolder.url.appending(path: "trace")
    let line = "7 pwrite64(3</a/b>, \"\"..., 1, 0) = 1\n"
    try Data(String(repeating: line, count: 60_000).utf8).write(to: file)
    let trace = try Trace(of: 1, reading: file)
    #expect(trace.written == 60_000)
  }

  @Test("strace is asked for all calls, and says it of a command")
  func strace() throws {
    guard Meter.succeeds(Trace.test) else {
      print("Not looked at: what strace writes, which is missing or not allowed")
      return
    }
    let (file, made) = (
      TemporaryFolder.url.appending(path: "trace"), TemporaryFolder.url.appending(path: "made").path
    )
    let command = ["sh", "-c", "head -c 5000 /dev/zero > '\(made)' && sync '\(made)'"]
    _ = try Meter(in: BuiltPrograms.folder).measure(Trace.words(into: file) + command)
    let trace = try Trace(of: 1, reading: file)
    #expect(trace.written == 5000)
    #expect(trace.syncs == 1)
    #expect(trace.files == 1)
  }

  private static func trace(_ lines: String) -> Trace {
    var trace = Trace(of: 1)
    for line in lines.split(separator: "\n") { trace.add(String(line)) }
    return trace
  }
}
