private import CZlib

/// Raw deflate data: no header and no checksum, as Z_MODELCACHE holds it.
package enum Deflate {
  // "windowBits can also be -8..-15 for raw inflate" (zlib.h); 15 is the largest window, 32 KiB.
  private static let rawWindow: Int32 = -15
  private static let bufferSize = 64 << 10

  /// The data, if it is whole and not larger than `limit` bytes.
  ///
  /// Bytes after the end of the stream are refused unless `allowTrailing` is true.
  package static func inflate(
    _ bytes: [UInt8], limit: Int, allowTrailing: Bool = false
  ) throws(FormatError) -> [UInt8] {
    var stream = unsafe z_stream()
    let size = Int32(unsafe MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(&stream, rawWindow, ZLIB_VERSION, size) == Z_OK else {
      throw FormatError(.deflate, "zlib cannot start")
    }
    defer { unsafe inflateEnd(&stream) }
    let (output, used) = try unsafe run(&stream, on: bytes, limit: limit) {
      unsafe CZlib.inflate(&$0, Z_NO_FLUSH)
    }
    guard used == bytes.count || allowTrailing else {
      throw FormatError(.deflate, "\(bytes.count - used) bytes follow its end", at: .byte(used))
    }
    return output
  }

  package static func compress(_ bytes: [UInt8]) throws(FormatError) -> [UInt8] {
    var stream = unsafe z_stream()
    let size = Int32(unsafe MemoryLayout<z_stream>.size)
    let status = unsafe deflateInit2_(
      &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, rawWindow, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      size)
    guard status == Z_OK else { throw FormatError(.deflate, "zlib cannot start") }
    defer { unsafe deflateEnd(&stream) }
    return try unsafe run(&stream, on: bytes, limit: .max) { unsafe deflate(&$0, Z_FINISH) }.output
  }

  /// Steps a stream to its end; gives what came out and how many bytes went in.
  private static func run(
    _ stream: inout z_stream, on bytes: [UInt8], limit: Int, step: (inout z_stream) -> Int32
  ) throws(FormatError) -> (output: [UInt8], used: Int) {
    guard let size = UInt32(exactly: bytes.count) else {
      throw FormatError(.deflate, "4 GiB or larger")
    }
    // "zlib does not modify the input", yet next_in is mutable unless ZLIB_CONST is defined.
    var input = bytes
    var output: [UInt8] = []
    var status = Z_OK
    unsafe input.withUnsafeMutableBufferPointer { source in
      unsafe stream.next_in = source.baseAddress
      unsafe stream.avail_in = size
      while status == Z_OK, output.count <= limit {
        status = unsafe fill(&output, from: &stream, step)
      }
    }
    let used = bytes.count - Int(unsafe stream.avail_in)
    guard output.count <= limit else {
      throw FormatError(.deflate, "larger than \(ByteSize.text(limit))")
    }
    guard status == Z_STREAM_END else { throw failure(status, at: used) }
    return (output, used)
  }

  /// One step, with a buffer of its own, so that a small stream cannot ask for much at once.
  private static func fill(
    _ output: inout [UInt8], from stream: inout z_stream, _ step: (inout z_stream) -> Int32
  ) -> Int32 {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bufferSize) { buffer in
      unsafe stream.next_out = buffer.baseAddress
      unsafe stream.avail_out = UInt32(bufferSize)
      let status = unsafe step(&stream)
      unsafe output.append(contentsOf: buffer.prefix(bufferSize - Int(stream.avail_out)))
      return status
    }
  }

  private static func failure(_ status: Int32, at offset: Int) -> FormatError {
    switch status {
    // "Z_BUF_ERROR if no progress was possible": the input ended before the stream did.
    case Z_BUF_ERROR: FormatError(.deflate, "cut short", at: .byte(offset))
    case Z_MEM_ERROR: FormatError(.deflate, "not enough memory")
    default: FormatError(.deflate, "damaged", at: .byte(offset))
    }
  }
}
