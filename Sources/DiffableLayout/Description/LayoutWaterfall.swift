/// Lanes of items, each item in the lane that is shortest so far: a masonry wall.
///
/// In a layout that scrolls vertically the lanes are columns. Apple's layout has no such section.
public struct LayoutWaterfall: Hashable, Sendable {
  /// How many lanes there are.
  public enum Lanes: Hashable, Sendable {
    /// Exactly this many.
    case count(Int)

    /// As many as fit with at least this width, in points, and one at least.
    case minimumWidth(Double)
  }

  /// Where the length of an item along its lane comes from.
  public enum ItemLength: Hashable, Sendable {
    /// A function gives it.
    case provided(LayoutItemLengthProvider)

    /// An estimate, in points, until the item has been measured.
    case estimated(Double)
  }

  /// The most items that one waterfall may have: every one of them has a place of its own.
  public static let maximumItemCount = 1 << 24

  /// How many lanes there are.
  public var lanes: Lanes

  /// Where the length of an item comes from.
  public var itemLength: ItemLength

  /// The gap between two lanes, in points.
  public var laneSpacing: Double

  /// The gap between two items of a lane, in points; a negative one counts as 0.
  public var itemSpacing: Double

  /// Creates a waterfall.
  public init(
    lanes: Lanes, itemLength: ItemLength, laneSpacing: Double = 0, itemSpacing: Double = 0
  ) {
    self.lanes = lanes
    self.itemLength = itemLength
    self.laneSpacing = laneSpacing
    self.itemSpacing = itemSpacing
  }
}

/// A function that gives the length of an item in a waterfall, with the identifier that stands for
/// it when descriptions are compared.
public struct LayoutItemLengthProvider: Hashable, Sendable {
  /// What tells this provider from others.
  public let id: LayoutProviderID

  /// Gives the length of an item, in points, from its index in the section and the width of a lane.
  public let length: @Sendable (_ item: Int, _ laneWidth: Double) -> Double

  /// Creates a provider.
  ///
  /// Name in `id` everything that the function captures.
  public init(
    id: some Hashable & Sendable,
    length: @escaping @Sendable (_ item: Int, _ laneWidth: Double) -> Double
  ) {
    self.id = LayoutProviderID(id)
    self.length = length
  }

  /// Providers are equal when their identifiers are: functions cannot be compared.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension LayoutSection {
  /// Describes a waterfall.
  ///
  /// - Complexity: Solving is O(n log c) for n items in c lanes, a frame O(1), a rectangle
  ///   O(c · log n) and the elements found; measuring an item costs O(items after it).
  public static func waterfall(_ waterfall: LayoutWaterfall) -> LayoutSection {
    LayoutSection(content: .waterfall(waterfall))
  }
}
