public import Diffable

/// Why a delta was rejected.
///
/// Nothing changes when one is thrown. A follower whose state does not fit requests the whole
/// state: it opens a connection without a token, and the first delta is a reset.
public enum DeltaError: Error, Hashable, Sendable {
  /// The text has more bytes than the limits allow.
  case tooLong(limit: Int)
  /// The arrays and objects of the text are nested deeper than the limits allow.
  case tooDeep(limit: Int)
  /// The delta, or the list after it, has more elements than the limits allow.
  case tooManyElements(count: Int, limit: Int)
  /// The text is not a delta.
  case undecodable(reason: String)
  /// The delta is written in a format that this version does not know.
  case unknownFormat(Int)
  /// The delta starts from another state than the current one, and leads to one that is new.
  case wrongBase(expected: ResumeToken?, found: ResumeToken?)
  /// The delta contradicts itself or the current state.
  case misfit(reason: String)
  /// Items that would appear twice in the list.
  case duplicateItems([AnyItemID])
  /// Sections that would appear twice in the list.
  case duplicateSections([AnyItemID])
  /// Inserted items without a model.
  case missingModels([AnyItemID])
  /// The mirror has finished.
  case finished
}

extension DeltaError {
  /// The name of the case, for logs.
  public var code: String {
    switch self {
    case .tooLong: "tooLong"
    case .tooDeep: "tooDeep"
    case .tooManyElements: "tooManyElements"
    case .undecodable: "undecodable"
    case .unknownFormat: "unknownFormat"
    case .wrongBase: "wrongBase"
    case .misfit: "misfit"
    case .duplicateItems: "duplicateItems"
    case .duplicateSections: "duplicateSections"
    case .missingModels: "missingModels"
    case .finished: "finished"
    }
  }

  /// Converts the error of a snapshot.
  init(_ error: SnapshotError) {
    switch error {
    case .duplicateItems: self = .duplicateItems(error.identifiers)
    case .duplicateSections: self = .duplicateSections(error.identifiers)
    case .missingModel: self = .missingModels(error.identifiers)
    case .unknownItem:
      self = .misfit(
        reason: "it has models for items that are not in the list: \(Self.list(error.identifiers))")
    case .unknownSection:
      self = .misfit(
        reason:
          "it has models for sections that are not in the list: \(Self.list(error.identifiers))")
    case .inapplicableDifference(let reason): self = .misfit(reason: reason)
    default: self = .misfit(reason: error.fault)
    }
  }

  /// Converts the error of a decoder.
  init(decoding error: any Error) {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.reduce("$") { place, key in
        place + (key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)")
      }
    }
    switch error {
    case let error as DeltaError: self = error
    case DecodingError.dataCorrupted(let context):
      if let error = context.underlyingError as? DeltaError {
        self = error
      } else if let error = context.underlyingError as? SnapshotError {
        self = DeltaError(error)
      } else {
        self = .undecodable(reason: "at \(place(context)): \(context.debugDescription)")
      }
    case DecodingError.keyNotFound(let key, let context):
      self = .undecodable(reason: "“\(key.stringValue)” is missing at \(place(context))")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      self = .undecodable(reason: "the value at \(place(context)) has the wrong type")
    default:
      self = .undecodable(reason: "\(error)")
    }
  }
}

extension DeltaError: CustomStringConvertible {
  /// A sentence that says what was wrong, and that nothing was changed.
  public var description: String { fault + " Nothing was changed." }

  /// A sentence that says what was wrong.
  var fault: String {
    let fault =
      switch self {
      case .tooLong(let limit): "The text is longer than \(limit) bytes"
      case .tooDeep(let limit): "The text is nested deeper than \(limit) levels"
      case .tooManyElements(let count, let limit):
        "There are \(count) elements, but at most \(limit) are allowed"
      case .undecodable(let reason): "The text is not a delta: \(reason)"
      case .unknownFormat(let format):
        "The delta has format \(format), but this version reads format 1 only"
      case .wrongBase(let expected, let found):
        "The delta starts from \(found.map { "“\($0)”" } ?? "no state"), but the mirror has "
          + "\(expected.map { "“\($0)”" } ?? "no state")"
      case .misfit(let reason): "The delta does not fit: \(reason)"
      case .duplicateItems(let items): "The list would have these items twice: \(Self.list(items))"
      case .duplicateSections(let sections):
        "The list would have these sections twice: \(Self.list(sections))"
      case .missingModels(let items): "There is no model for \(Self.list(items))"
      case .finished: "The mirror has finished and accepts no more deltas"
      }
    return "\(sentence: fault)"
  }

  private static func list(_ identifiers: [AnyItemID]) -> String {
    let shown = identifiers.prefix(8).map { "“\($0)”" }.joined(separator: ", ")
    return identifiers.count > 8 ? "\(shown) and \(identifiers.count - 8) more" : shown
  }
}

extension DefaultStringInterpolation {
  /// Appends the end of a sentence, with its full stop.
  mutating func appendInterpolation(sentence: String) {
    let isEnded = [".", "!", "?"].contains { sentence.hasSuffix($0) }
    appendInterpolation(isEnded ? sentence : sentence + ".")
  }
}

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
  /// The maximum number of items in the list after a delta, with hidden rows, and of sections.
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

  /// The limits of what is within these and within others.
  func intersection(_ other: DeltaLimits) -> DeltaLimits {
    DeltaLimits(
      byteCount: min(byteCount, other.byteCount), depth: min(depth, other.depth),
      elementCount: min(elementCount, other.elementCount),
      listCount: min(listCount, other.listCount),
      nameByteCount: min(nameByteCount, other.nameByteCount))
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

  /// Checks the size of a list, with the rows that folded ones hide.
  func check<SectionID, ItemID>(sizeOf list: Snapshot<SectionID, ItemID>) throws(DeltaError) {
    try check(
      listOf: list.numberOfSections,
      items: list.numberOfItems + list.base.order.totals.hiddenRows)
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
