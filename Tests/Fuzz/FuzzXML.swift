/// One input of the fuzzer: XML must give an error or a tree.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXML(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  if let tree = try? XMLTree(bytes) {
    precondition(depth(tree.root) <= FormatLimits.xml.depth)
  }
  _ = try? PropertyList(reading: bytes)
  _ = try? JSONValue(reading: bytes)
  return 0
}

private func depth(_ element: XMLTree.Element) -> Int {
  1 + (element.children.map(depth).max() ?? 0)
}
