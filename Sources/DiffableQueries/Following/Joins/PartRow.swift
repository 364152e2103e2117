/// One of several rows that a list shows for an element of another list.
///
/// `flatMapped(options:_:)` of a source makes such rows. They have the properties of their values:
/// `row.title` is `row.value.title`.
@dynamicMemberLookup
public struct PartRow<WholeID: Hashable & Sendable, Value: Identifiable & Equatable & Sendable>:
  Identifiable, Equatable, Sendable
where Value.ID: Sendable {
  /// The identifier of the element, with that of the value.
  public let id: PartID<WholeID, Value.ID>
  /// What the row shows.
  public let value: Value

  /// Creates a row of an element.
  ///
  /// - Parameters:
  ///   - value: What the row shows.
  ///   - whole: The identifier of the element.
  public init(_ value: Value, of whole: WholeID) {
    id = PartID(whole: whole, part: value.id)
    self.value = value
  }

  // Compiled where the types are known: each change compares rows and their identifiers.

  /// Whether two rows show equal values of the same element.
  @inlinable public static func == (left: PartRow, right: PartRow) -> Bool {
    left.id == right.id && left.value == right.value
  }

  /// A property of the value.
  public subscript<Property>(dynamicMember path: KeyPath<Value, Property>) -> Property {
    value[keyPath: path]
  }
}

/// What identifies one of several rows for an element.
///
/// It stays when the element changes, or its other rows do. Values of two elements may have equal
/// identifiers: their rows have different ones.
public struct PartID<Whole: Hashable & Sendable, Part: Hashable & Sendable>: Hashable, Sendable {
  /// The identifier of the element.
  public let whole: Whole
  /// The identifier of the value among those of the element.
  public let part: Part

  /// Creates an identifier.
  ///
  /// - Parameters:
  ///   - whole: The identifier of the element.
  ///   - part: The identifier of the value among those of the element.
  public init(whole: Whole, part: Part) { (self.whole, self.part) = (whole, part) }

  /// Whether both identifiers are the same.
  @inlinable public static func == (left: PartID, right: PartID) -> Bool {
    left.part == right.part && left.whole == right.whole
  }

  /// Hashes both identifiers.
  @inlinable public func hash(into hasher: inout Hasher) {
    hasher.combine(whole)
    hasher.combine(part)
  }
}

extension PartID: CustomStringConvertible {
  /// Both identifiers, as in `whole/part`.
  public var description: String { "\(whole)/\(part)" }
}

extension PartID: Codable where Whole: Codable, Part: Codable {}
