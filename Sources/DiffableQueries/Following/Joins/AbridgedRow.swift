/// A row of a list that shows the first rows of each section: one of them, or one that says how many there are more.
///
/// `abridged(to:options:)` of a source makes such rows.
public enum AbridgedRow<
  SectionID: Hashable & Sendable, Element: Identifiable & Equatable & Sendable
>: Equatable, Sendable where Element.ID: Sendable {
  /// One of the first rows of a section.
  case row(Element)
  /// After them: how many rows of the section are left out, at least one.
  case more(SectionID, Int)

  // Compiled where the types are known: each change compares rows and their identifiers.

  /// Whether two rows show the same.
  @inlinable public static func == (left: AbridgedRow, right: AbridgedRow) -> Bool {
    switch (left, right) {
    case (.row(let left), .row(let right)): left == right
    case (.more(let left, let count), .more(let right, let other)):
      count == other && left == right
    default: false
    }
  }

  /// What the row shows; `nil` if it says how many there are more.
  public var element: Element? { if case .row(let element) = self { element } else { nil } }
}

extension AbridgedRow: Identifiable {
  /// The identifier of the element, or that of the section.
  ///
  /// So the last row of a section stays the same row when its number changes.
  public var id: AbridgedID<SectionID, Element.ID> {
    switch self {
    case .row(let element): .row(element.id)
    case .more(let section, _): .more(section)
    }
  }
}

/// What identifies a row of a list that shows the first rows of each section.
public enum AbridgedID<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Hashable,
  Sendable
{
  /// One of the first rows.
  case row(ItemID)
  /// The row that says how many there are more.
  case more(SectionID)

  /// Whether two identifiers are those of the same row.
  @inlinable public static func == (left: AbridgedID, right: AbridgedID) -> Bool {
    switch (left, right) {
    case (.row(let left), .row(let right)): left == right
    case (.more(let left), .more(let right)): left == right
    default: false
    }
  }

  /// Hashes the kind of the row, and what identifies it.
  @inlinable public func hash(into hasher: inout Hasher) {
    switch self {
    case .row(let item):
      hasher.combine(0 as UInt8)
      hasher.combine(item)
    case .more(let section):
      hasher.combine(1 as UInt8)
      hasher.combine(section)
    }
  }
}

extension AbridgedID: Codable where SectionID: Codable, ItemID: Codable {}
