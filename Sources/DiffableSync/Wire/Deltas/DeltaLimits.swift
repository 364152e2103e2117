/// How large a delta from outside may be.
///
/// A follower may not trust the server that sends its deltas, and a server may not trust who proposes changes.
/// Limits bound the memory and the time that one delta can cost. The text is measured before it is decoded.
///
/// The numbers in a delta have no limit of their own, and need none. A range of a few bytes can name 2^53
/// positions, so every position is checked against the list before any range is expanded. One that does
/// not exist is a ``DeltaError/misfit(reason:)``. So a delta of b bytes for a list of n items takes
/// O((b + n) · log(b + n)) time and O(b + n) memory, whatever its numbers.
public struct DeltaLimits: Hashable, Sendable {
  /// The maximum number of bytes of the text.
  public var byteCount: Int
  /// The maximum nesting depth of arrays and objects in the text.
  ///
  /// A delta itself has six levels; the rest is for identifiers and models.
  public var depth: Int
  /// The maximum number of elements in one delta.
  ///
  /// Each section, item, row, model, range and move counts as one.
  public var elementCount: Int
  /// The maximum number of items in the list after a delta, and of sections.
  public var listCount: Int
  /// The maximum number of bytes of the name of a proposed change, in UTF-8.
  ///
  /// The owner keeps the name with the change, and shows it in a menu.
  public var nameByteCount: Int

  /// Creates limits.
  ///
  /// - Parameters:
  ///   - byteCount: The maximum number of bytes of the text: 16 MiB by default.
  ///   - depth: The maximum number of levels of the text: 64 by default.
  ///   - elementCount: The maximum number of elements of one delta: one million by default.
  ///   - listCount: The maximum number of items in the list, and of sections: ten million by
  ///     default.
  ///   - nameByteCount: The maximum number of bytes of the name of a proposed change: 1,000 by default.
  public init(
    byteCount: Int = 1 << 24, depth: Int = 64, elementCount: Int = 1_000_000,
    listCount: Int = 10_000_000, nameByteCount: Int = 1_000
  ) {
    self.byteCount = byteCount
    self.depth = depth
    self.elementCount = elementCount
    self.listCount = listCount
    self.nameByteCount = nameByteCount
  }

  /// Checks the size and the nesting of a JSON text in UTF-8, without decoding it.
  ///
  /// The decoder checks whether it is JSON at all. Some decoders read UTF-16 and UTF-32 as well, where a
  /// quotation mark may be a part of a character, and brackets could hide in what seems to be a string. Each
  /// bracket has a zero byte in these encodings, and a JSON text in UTF-8 has none.
  ///
  /// - Throws: ``DeltaError/tooLong(limit:)``, ``DeltaError/tooDeep(limit:)``, or
  ///   ``DeltaError/undecodable(reason:)`` if the text has a zero byte.
  /// - Complexity: O(b) for b bytes, at most `byteCount` of them.
  public func check(_ text: some Sequence<UInt8>) throws(DeltaError) {
    // Read as memory where it can be: a generic sequence takes a call for each byte.
    let checked = text.withContiguousStorageIfAvailable { bytes in
      // Most texts have fewer brackets than levels are allowed, which one quick pass says.
      bytes.count <= byteCount && bytes.count(where: Self.opens) <= depth && !bytes.contains(0)
        ? .success(()) : Result { () throws(DeltaError) in try scan(bytes) }
    }
    guard let checked else { return try scan(text) }
    try checked.get()
  }

  private static func opens(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{")
  }

  private func scan(_ text: some Sequence<UInt8>) throws(DeltaError) {
    var (count, level) = (0, 0)
    var (isInString, isEscaped) = (false, false)
    for byte in text {
      count += 1
      guard count <= byteCount else { throw .tooLong(limit: byteCount) }
      guard byte != 0 else { throw .undecodable(reason: "it is not JSON in UTF-8") }
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case _ where Self.opens(byte):
        level += 1
        guard level <= depth else { throw .tooDeep(limit: depth) }
      case UInt8(ascii: "]"), UInt8(ascii: "}"): level -= 1
      default: break
      }
    }
  }

  func check(elements count: Int) throws(DeltaError) {
    guard count <= elementCount else {
      throw .tooManyElements(count: count, limit: elementCount)
    }
  }

  func check(listOf sections: Int, items: Int) throws(DeltaError) {
    let count = max(sections, items)
    guard count <= listCount else { throw .tooManyElements(count: count, limit: listCount) }
  }

  func check(nameOfChange name: String?) throws(DeltaError) {
    guard let name, name.utf8.count > nameByteCount else { return }
    throw .misfit(reason: "the name of the change is longer than \(nameByteCount) bytes")
  }

  /// Checks and decodes a text, and turns what the decoder throws into a ``DeltaError``.
  func read<Text: Sequence<UInt8>, Delta>(
    _ text: Text, _ decode: (Text) throws -> Delta
  ) throws(DeltaError) -> Delta {
    try check(text)
    do {
      return try decode(text)
    } catch {
      throw DeltaError(decoding: error)
    }
  }
}
