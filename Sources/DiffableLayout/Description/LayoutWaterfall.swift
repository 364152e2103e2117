/// Lanes of items, each item in the lane that is shortest so far: a masonry layout.
///
/// In a layout that scrolls vertically, the lanes are columns. Apple's layout has no such section.
public struct LayoutWaterfall: Hashable, Sendable {
  /// The number of lanes.
  public enum Lanes: Hashable, Sendable {
    /// Exactly this many.
    case count(Int)

    /// As many as fit with at least this width, in points, but at least one.
    case minimumWidth(Double)
  }

  /// The origin of the length of an item along its lane.
  public enum ItemLength: Hashable, Sendable {
    /// Lengths from a function.
    case provided(LayoutItemLengthProvider)

    /// An estimate, in points, until the item has been measured.
    case estimated(Double)
  }

  /// The maximum number of items of a waterfall: each of them has its own place.
  package static let maximumItemCount = 1 << 24

  /// The number of lanes.
  public var lanes: Lanes

  /// The origin of the length of an item.
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

/// A function that returns the length of an item in a waterfall.
///
/// Descriptions with providers are compared by their identifiers.
public struct LayoutItemLengthProvider: Hashable, Sendable {
  /// The identity of this provider.
  package let id: LayoutProviderID

  /// Returns the length of an item, in points, for its index and the width of a lane.
  package let length: @Sendable (_ item: Int, _ laneWidth: Double) -> Double

  /// Creates a provider.
  ///
  /// Include in `id` everything that the function captures.
  public init(
    id: some Hashable & Sendable,
    length: @escaping @Sendable (_ item: Int, _ laneWidth: Double) -> Double
  ) {
    self.id = LayoutProviderID(id)
    self.length = length
  }

  /// Providers are equal if their identifiers are: functions cannot be compared.
  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  /// Hashes the identifier.
  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

extension LayoutSection {
  /// Describes a waterfall.
  ///
  /// - Complexity: Solving is O(n log c) for n items in c lanes, looking up a frame O(1), finding
  ///   the elements in a rectangle O(c · log n) and the elements found, measuring an item
  ///   O(items after it).
  public static func waterfall(_ waterfall: LayoutWaterfall) -> LayoutSection {
    LayoutSection(content: .waterfall(waterfall))
  }
}
