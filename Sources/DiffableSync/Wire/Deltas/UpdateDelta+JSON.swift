import Diffable

extension UpdateDelta where SectionID: Codable, ItemID: Codable {
  /// The delta as JSON, in the format of <doc:DeltaFormat>.
  ///
  /// ```swift
  /// let encoder = JSONEncoder()
  /// send(try delta.json { try Array(encoder.encode($0)) })
  /// ```
  ///
  /// The text says the same as the one that an encoder makes of the whole delta, and takes a fraction
  /// of the time.
  ///
  /// - Parameter encode: Writes a value as JSON. It gets what is neither a number nor a text:
  ///   arrays of other identifiers, outlines, renames.
  /// - Complexity: O(b) for b bytes.
  public func json(encode: @escaping (any Encodable) throws -> [UInt8]) throws -> [UInt8] {
    var text = JSONText(encode)
    try text.object { try write(to: &$0) }
    return text.bytes
  }

  /// Writes the fields into an object.
  func write(to text: inout JSONText) throws {
    text.member("format") { $0.write(Self.format) }
    frame.write(to: &text)
    if !sections.isEmpty { try text.member("sections") { try write(sections, to: &$0) } }
    try text.member("items", items)
    try text.member("outlines", outlines)
    try text.member("renamedItems", renamedItems)
    if !placed.isEmpty {
      try text.member("placedItems", placed.items.inOrder)
      try text.member("placedSections", placed.sections.inOrder)
    }
    try text.member("droppedItems", droppedItems)
    try text.member("droppedSections", droppedSections)
    try text.member("proposals", frame.accepted.map(\.description))
  }

  private func write(_ sections: [Section], to text: inout JSONText) throws {
    guard JSONText.writes(SectionID.self), JSONText.writes(ItemID.self) else {
      return try text.write(sections)
    }
    try text.array(sections) { text, section in
      try text.object { text in
        try text.member("id") { try $0.write(section.id) }
        switch section.rows {
        case .list(let items): try text.member("items", items)
        case .outline(let outline): try text.member("outline") { try $0.write(outline) }
        }
      }
    }
  }
}

extension DeltaFrame {
  /// Writes the fields into the object of the delta.
  fileprivate func write(to text: inout JSONText) {
    if let proposal {
      text.member("id") { $0.write(proposal.id.description) }
      if let name = proposal.name { text.member("name") { $0.write(name) } }
      if proposal.isUndo { text.member("undo") { $0.writeTrue() } }
      if let id = proposal.reverses { text.member("reverses") { $0.write(id.description) } }
    }
    if let base { text.member("base") { $0.write(base.description) } }
    if proposal == nil { text.member("target") { $0.write(target.description) } }
    text.member("presentation") { $0.write(presentation.rawValue) }
    if !difference.isEmpty {
      text.member("difference") { text in text.object { difference.write(to: &$0) } }
    }
    guard let counts else { return }
    text.member("counts") { text in
      text.object { text in
        text.member("sections") { $0.write(counts.sections) }
        text.member("items") { $0.write(counts.items) }
      }
    }
  }
}

extension SnapshotDifference {
  /// Writes the fields that ``encode(to:)`` writes.
  fileprivate func write(to text: inout JSONText) {
    func write(_ name: StaticString, _ indices: RangeSet<Int>) {
      guard !indices.isEmpty else { return }
      text.member(name) { text in
        text.array(indices.ranges) { text, range in
          text.array(range.lowerBound, range.upperBound)
        }
      }
    }
    func write(_ name: StaticString, _ paths: ItemPathSet) {
      guard !paths.isEmpty else { return }
      text.member(name) { text in
        text.array(paths.ranges) { text, range in
          text.array(range.section, range.items.lowerBound, range.items.upperBound)
        }
      }
    }
    func write<Position>(
      _ name: StaticString, _ moves: [Move<Position>],
      _ write: (inout JSONText, Position) -> Void
    ) {
      guard !moves.isEmpty else { return }
      text.member(name) { text in
        text.array(moves) { text, move in
          text.object { text in
            text.member("from") { write(&$0, move.from) }
            text.member("to") { write(&$0, move.to) }
          }
        }
      }
    }
    write("sectionDeletes", sectionDeletes)
    write("sectionInserts", sectionInserts)
    write("sectionMoves", sectionMoves) { $0.write($1) }
    write("sectionReloads", sectionReloads)
    write("sectionReconfigures", sectionReconfigures)
    write("itemDeletes", itemDeletes)
    write("itemInserts", itemInserts)
    write("itemMoves", itemMoves) { text, path in
      text.object { text in
        text.member("section") { $0.write(path.section) }
        text.member("item") { $0.write(path.item) }
      }
    }
    write("itemReloads", itemReloads)
    write("itemReconfigures", itemReconfigures)
    write("itemRenames", itemRenames)
    write("outlineChanges", outlineChanges)
  }
}

extension ModelDelta where SectionID: Codable, Model: Codable, Model.ID: Codable {
  /// The delta as JSON, in the format of <doc:DeltaFormat>.
  ///
  /// As ``UpdateDelta/json(encode:)``. The encoder gets all models in one array.
  public func json(encode: @escaping (any Encodable) throws -> [UInt8]) throws -> [UInt8] {
    var text = JSONText(encode)
    try text.object { text in
      try update.write(to: &text)
      try text.member("models", models)
      try text.member("sectionModels", sections)
      try text.member("seenModels", seen.models)
      try text.member("seenSectionModels", seen.sections)
    }
    return text.bytes
  }
}

/// Writes JSON text piece by piece.
///
/// Numbers and texts are written here. All other values are written by an encoder of the user's, since
/// this package has none. An encoder that writes a whole delta spends most of its time on containers
/// and dynamic casts, which the fixed fields of a delta do not need.
struct JSONText {
  typealias Encode = (any Encodable) throws -> [UInt8]

  private(set) var bytes: [UInt8] = []
  /// Whether the next member or element is the first one.
  private var isFirst = true
  private let encode: Encode

  init(_ encode: @escaping Encode) {
    self.encode = encode
    // Most deltas change little.
    bytes.reserveCapacity(512)
  }

  /// Whether values of a type are written without the encoder.
  static func writes<Value>(_ type: Value.Type) -> Bool {
    type == Int.self || type == String.self
  }

  // MARK: Structure

  mutating func object(_ members: (inout JSONText) throws -> Void) rethrows {
    try enclosed("{", "}", members)
  }

  mutating func member(
    _ name: StaticString, _ value: (inout JSONText) throws -> Void
  ) rethrows {
    separate()
    bytes.append(UInt8(ascii: "\""))
    name.withUTF8Buffer { bytes.append(contentsOf: $0) }
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
    try value(&self)
  }

  /// Writes a member that is left out if it has no values.
  mutating func member<Value: Encodable>(_ name: StaticString, _ values: [Value]) throws {
    // To ask `isEmpty` takes look-ups of generic code, for each of many members that are left out.
    if values.count > 0 { try member(name) { try $0.write(values) } }
  }

  mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) throws -> Void
  ) rethrows {
    try enclosed("[", "]") { text in
      for element in elements {
        text.separate()
        try write(&text, element)
      }
    }
  }

  /// Writes an array of two or three numbers.
  mutating func array(_ first: Int, _ second: Int, _ third: Int? = nil) {
    enclosed("[", "]") { text in
      text.write(first)
      text.bytes.append(UInt8(ascii: ","))
      text.write(second)
      guard let third else { return }
      text.bytes.append(UInt8(ascii: ","))
      text.write(third)
    }
  }

  private mutating func enclosed(
    _ first: Unicode.Scalar, _ last: Unicode.Scalar, _ body: (inout JSONText) throws -> Void
  ) rethrows {
    bytes.append(UInt8(ascii: first))
    isFirst = true
    try body(&self)
    bytes.append(UInt8(ascii: last))
    isFirst = false
  }

  private mutating func separate() {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
  }

  // MARK: Values

  mutating func writeTrue() { bytes.append(contentsOf: "true".utf8) }

  mutating func write(_ number: Int) {
    // Positions have few digits.
    guard number >= 0, number < 100_000_000 else {
      return bytes.append(contentsOf: String(number).utf8)
    }
    var divisor = 1
    while number / divisor > 9 { divisor *= 10 }
    while divisor > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
  }

  mutating func write(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { text in
      if text.contains(where: Self.mustBeEscaped) {
        for byte in text { append(escaping: byte) }
      } else {
        bytes.append(contentsOf: text)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether a byte of UTF-8 must not be in a JSON string as it is.
  private static func mustBeEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func append(escaping byte: UInt8) {
    guard Self.mustBeEscaped(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "\\"))
    guard byte < 0x20 else { return bytes.append(byte) }
    let digits = Array("0123456789abcdef".utf8)
    bytes.append(contentsOf: "u00".utf8)
    bytes.append(contentsOf: [digits[Int(byte >> 4)], digits[Int(byte & 15)]])
  }

  /// Writes a value of any type, by the encoder if need be.
  mutating func write<Value: Encodable>(_ value: Value) throws {
    if let number = value as? Int {
      write(number)
    } else if let text = value as? String {
      write(text)
    } else {
      bytes += try encode(value)
    }
  }

  /// Writes values of any type, with at most one call of the encoder.
  mutating func write<Value: Encodable>(_ values: [Value]) throws {
    // The types are the same where a cast is made. `as?` between arrays looks at more than the types.
    if Value.self == Int.self {
      array(unsafeBitCast(values, to: [Int].self)) { $0.write($1) }
    } else if Value.self == String.self {
      array(unsafeBitCast(values, to: [String].self)) { $0.write($1) }
    } else {
      bytes += try encode(values)
    }
  }
}
