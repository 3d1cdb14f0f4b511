// What differs between systems: the libraries that digest and read XML, who may describe progress,
// and how a file is left out of the device's backups.

package import Foundation

#if canImport(CryptoKit)
private import CryptoKit
#else
private import CCrypto
private import CExpat
#endif

#if canImport(CryptoKit)
final class PlatformDigest {
  private var hash: any HashFunction

  /// A digest of nothing yet.
  init(_ algorithm: Digest.Algorithm) {
    switch algorithm {
    case .sha256: hash = SHA256()
    case .sha512: hash = SHA512()
    }
  }

  func update(_ bytes: UnsafeRawBufferPointer) { unsafe hash.update(bufferPointer: bytes) }

  /// The digest so far.
  func finish() -> [UInt8] { Array(hash.finalize()) }
}
#else
/// A digest by libcrypto.
@safe final class PlatformDigest {
  private enum State {
    case sha256(SHA256_CTX)
    case sha512(SHA512_CTX)
  }

  private var state: State

  /// A digest of nothing yet.
  init(_ algorithm: Digest.Algorithm) {
    switch algorithm {
    case .sha256:
      var context = SHA256_CTX()
      _ = unsafe SHA256_Init(&context)
      state = .sha256(context)
    case .sha512:
      var context = SHA512_CTX()
      _ = unsafe SHA512_Init(&context)
      state = .sha512(context)
    }
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    switch state {
    case .sha256(var context):
      _ = unsafe SHA256_Update(&context, bytes.baseAddress, bytes.count)
      state = .sha256(context)
    case .sha512(var context):
      _ = unsafe SHA512_Update(&context, bytes.baseAddress, bytes.count)
      state = .sha512(context)
    }
  }

  /// The digest so far, from a copy, because the last call ends what it is given.
  func finish() -> [UInt8] {
    switch state {
    case .sha256(var context):
      var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
      _ = unsafe SHA256_Final(&digest, &context)
      return digest
    case .sha512(var context):
      var digest = [UInt8](repeating: 0, count: Int(SHA512_DIGEST_LENGTH))
      _ = unsafe SHA512_Final(&digest, &context)
      return digest
    }
  }
}
#endif

/// What an XML parser reports as it reads.
protocol XMLEvents: AnyObject {
  /// An element begins; false ends the reading.
  func began(_ name: String, _ attributes: [String: String], line: Int) -> Bool
  /// The innermost open element ends.
  func ended()
  /// Text of the innermost open element, or a part of it; false ends the reading.
  func found(text: String) -> Bool
  /// The document is wrong.
  func failed(_ problem: String, line: Int)
}

#if canImport(CryptoKit)
/// Foundation's XMLParser, set up to fetch nothing.
enum PlatformXML {
  /// Reads a document and reports to `events` what is in it.
  static func parse(_ bytes: [UInt8], for events: any XMLEvents) {
    let parser = XMLParser(stream: InputStream(data: Data(bytes)))
    let delegate = Delegate(events)
    // The parser does not retain its delegate; this function does, to its end.
    unsafe parser.delegate = delegate
    parser.shouldResolveExternalEntities = false
    parser.externalEntityResolvingPolicy = .never
    _ = parser.parse()
    withExtendedLifetime(delegate) {}
  }

  private final class Delegate: NSObject, XMLParserDelegate {
    private let events: any XMLEvents

    init(_ events: any XMLEvents) { self.events = events }

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String] = [:]
    ) {
      if !events.began(name, attributes, line: parser.lineNumber) { parser.abortParsing() }
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
    ) {
      events.ended()
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
      if !events.found(text: text) { parser.abortParsing() }
    }

    func parser(_ parser: XMLParser, foundCDATA block: Data) {
      if !events.found(text: String(decoding: block, as: UTF8.self)) { parser.abortParsing() }
    }

    func parser(_ parser: XMLParser, parseErrorOccurred error: any Error) {
      events.failed(problem((error as NSError).code), line: parser.lineNumber)
    }

    /// The numbers are those of libxml2's xmlerror.h, which XMLParser passes on.
    private func problem(_ code: Int) -> String {
      switch code {
      case 4: "holds no element"
      case 5: "cut short, or something follows its end"
      case 9: "a character that XML does not allow"
      case 26: "an entity that is not defined"
      case 39, 40: "an attribute whose value is not in quotes, or does not end"
      case 41: "an attribute without a value"
      case 42: "an attribute given twice"
      case 73, 74: "a tag that is not well formed"
      case 76: "an element closed under another's name"
      case 77: "an element that is not closed"
      default: "not well formed (libxml2 error \(code))"
      }
    }
  }
}
#else
/// Expat, which fetches nothing unless it is shown how.
///
/// FoundationXML would load libxml2, and with it ICU, at the start of every command.
@safe final class PlatformXML {
  private let events: any XMLEvents
  private let parser: OpaquePointer

  private init(_ events: any XMLEvents, _ parser: OpaquePointer) {
    self.events = events
    unsafe self.parser = parser
  }

  /// Reads a document and reports to `events` what is in it.
  static func parse(_ bytes: [UInt8], for events: any XMLEvents) {
    guard let length = CInt(exactly: bytes.count), let parser = unsafe XML_ParserCreate("UTF-8")
    else { return events.failed("too large for the memory", line: 1) }
    defer { unsafe XML_ParserFree(parser) }
    let reading = unsafe PlatformXML(events, parser)
    unsafe XML_SetUserData(parser, Unmanaged.passUnretained(reading).toOpaque())
    unsafe XML_SetElementHandler(
      parser, { unsafe PlatformXML.of($0)?.began($1, $2) },
      { user, _ in unsafe PlatformXML.of(user)?.events.ended() })
    unsafe XML_SetCharacterDataHandler(parser) { unsafe PlatformXML.of($0)?.found($1, $2) }
    let status = unsafe bytes.withUnsafeBytes {
      unsafe XML_Parse(parser, $0.baseAddress?.assumingMemoryBound(to: CChar.self), length, 1)
    }
    if status != XML_STATUS_OK { reading.failed() }
    withExtendedLifetime(reading) {}
  }

  /// The reading whose events Expat reports.
  private static func of(_ user: UnsafeMutableRawPointer?) -> PlatformXML? {
    unsafe user.map { unsafe Unmanaged<PlatformXML>.fromOpaque($0).takeUnretainedValue() }
  }

  private var line: Int { unsafe Int(clamping: XML_GetCurrentLineNumber(parser)) }

  /// The attributes are "name/value pairs", and end with a null.
  private func began(
    _ name: UnsafePointer<CChar>?, _ pairs: UnsafeMutablePointer<UnsafePointer<CChar>?>?
  ) {
    guard let name = unsafe name else { return }
    var attributes: [String: String] = [:]
    var next = unsafe pairs
    while let pair = unsafe next, let key = unsafe pair[0], let value = unsafe pair[1] {
      unsafe attributes[String(cString: key)] = String(cString: value)
      unsafe next = pair + 2
    }
    if unsafe !events.began(String(cString: name), attributes, line: line) { stop() }
  }

  private func found(_ text: UnsafePointer<CChar>?, _ length: CInt) {
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: Int(length))
    if unsafe !events.found(text: String(decoding: bytes, as: UTF8.self)) { stop() }
  }

  private func stop() { unsafe XML_StopParser(parser, XML_Bool(XML_FALSE)) }

  private func failed() {
    let code = unsafe XML_GetErrorCode(parser)
    switch code {
    // What is still open, or that nothing ever was, is seen when the reading has ended.
    case XML_ERROR_NO_ELEMENTS, XML_ERROR_SYNTAX, XML_ERROR_ABORTED: break
    case XML_ERROR_INVALID_TOKEN, XML_ERROR_BAD_CHAR_REF:
      let column = unsafe XML_GetCurrentColumnNumber(parser) + 1
      events.failed("what stands at column \(column) is not allowed in XML there", line: line)
    case XML_ERROR_UNCLOSED_TOKEN, XML_ERROR_UNCLOSED_CDATA_SECTION:
      events.failed("cut short", line: line)
    case XML_ERROR_TAG_MISMATCH:
      events.failed("an element closed under another's name", line: line)
    case XML_ERROR_DUPLICATE_ATTRIBUTE: events.failed("an attribute given twice", line: line)
    case XML_ERROR_JUNK_AFTER_DOC_ELEMENT: events.failed("something follows its end", line: line)
    case XML_ERROR_UNDEFINED_ENTITY: events.failed("an entity that is not defined", line: line)
    default:
      let words = unsafe XML_ErrorString(code).map { unsafe String(cString: $0) } ?? "\(code)"
      events.failed("not well formed (\(words))", line: line)
    }
  }
}
#endif

extension Progress {
  /// Sets what a view of Apple's shows next to the bar; elsewhere Foundation keeps it to itself.
  package func show(_ description: String, _ more: String) {
    #if canImport(CryptoKit)
    localizedDescription = description
    localizedAdditionalDescription = more
    #endif
  }
}

/// Leaves a folder out of the device's backups when a file is left out of them.
package func leaveOutOfBackups(_ folder: String, like file: String) {
  #if canImport(CryptoKit)
  let values = try? URL(filePath: file).resourceValues(forKeys: [.isExcludedFromBackupKey])
  guard values?.isExcludedFromBackup == true else { return }
  var excluded = URLResourceValues()
  excluded.isExcludedFromBackup = true
  var folder = URL(filePath: folder)
  try? folder.setResourceValues(excluded)
  #endif
}
