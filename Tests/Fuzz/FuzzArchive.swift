/// One input of the fuzzer: property lists and keyed archives must give an error or a value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzArchive(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  if let value = try? PropertyList(reading: bytes), case .dictionary = value {
    // What was read can be written, and is then the same, but for NaN, which equals nothing.
    let written = try? BinaryPropertyListWriter.write(value)
    precondition(written.map(BinaryPropertyList.claims) == true)
  }
  if let list = try? BinaryPropertyList(bytes) {
    for index in 0..<list.count { _ = list.node(index) }
  }
  if let archive = try? KeyedArchive(bytes) { walk(archive) }
  if let plain = try? Deflate.inflate(bytes, limit: 1 << 20) { _ = try? KeyedArchive(plain) }
  return 0
}

/// Asks every object that can be reached everything that it can be asked.
private func walk(_ archive: KeyedArchive) {
  _ = try? archive.readable()
  guard let root = try? archive.root else { return }
  var waiting = [root]
  var seen: Set<Int> = []
  while let object = waiting.popLast() {
    guard seen.insert(object.index).inserted else { continue }
    _ = (object.string, object.number, object.data, object.date, object.uuid)
    _ = (object.url, object.decimal, object.classNames, object.isNull, object["NSEntities"]?.index)
    waiting += object.fields.values
    waiting += object.elements ?? []
    for (key, value) in object.entries ?? [] { waiting += [key, value] }
  }
}
