// What differs between systems: the library that digests, where XMLParser lives, who may describe
// progress, and how a file is left out of the device's backups.

package import Foundation

#if canImport(CryptoKit)
private import CryptoKit
#else
private import CCrypto
#endif

#if canImport(FoundationXML)
private import FoundationXML
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
  func failed(code: Int, line: Int)
}

/// Foundation's XMLParser, set up to fetch nothing.
enum PlatformXML {
  /// Reads a document and reports to `events` what is in it.
  static func parse(_ bytes: [UInt8], for events: any XMLEvents) {
    // A stream is read in pieces on Linux, and not beyond the piece with the first error; data is
    // read to its end, at a cost for each of millions of errors.
    let parser = XMLParser(stream: InputStream(data: Data(bytes)))
    let delegate = Delegate(events)
    #if canImport(FoundationXML)
    parser.delegate = delegate
    #else
    // Apple's parser does not retain its delegate; this function does, to its end.
    unsafe parser.delegate = delegate
    #endif
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
      events.failed(code: (error as NSError).code, line: parser.lineNumber)
    }
  }
}

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
