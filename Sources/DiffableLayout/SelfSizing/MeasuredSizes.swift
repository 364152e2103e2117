/// The measured sizes of views, by identifier and by the width at which they were measured.
///
/// A ``SolvedLayout`` knows positions, not identifiers: measured sizes move with their items when
/// items are inserted, and are out of date when the width changes. A host keeps this cache in
/// addition. If a device is rotated and rotated back, nothing is measured again.
///
/// A layout that measures other lengths of the same views, such as their widths, needs a cache of its own: the cache
/// knows the length that was fixed, and not whether it was a width.
///
/// The cache keeps everything that was recorded. Remove a view when it leaves the list. A window that the user
/// resizes has another width in each frame: remove everything when that is over.
///
/// ```swift
/// sizes.record(answer, for: id, fixedLength: proposal.fixedLength)
/// // … the view is resized …
/// var solved = try layout.solve(itemCounts: counts, in: wider)
/// try sizes.apply(to: &solved) { id in paths[id] }
/// ```
public struct MeasuredSizes<ID: Hashable & Sendable>: Sendable {
  /// The measured sizes of each view, by the length that was fixed during the measurement.
  private var sizes: [ID: [Double: LayoutExtent]] = [:]

  /// Creates an empty cache.
  public init() {}

  /// The number of views with a measured size.
  public var count: Int { sizes.count }

  /// The measured size of a view at a width; `nil` if it was not measured at this one.
  ///
  /// - Complexity: O(1).
  public func size(for id: ID, fixedLength: Double) -> LayoutExtent? {
    sizes[id]?[fixedLength]
  }

  /// Records a measured size.
  ///
  /// It is ignored if the width is not a number.
  ///
  /// - Complexity: O(1).
  public mutating func record(_ size: LayoutExtent, for id: ID, fixedLength: Double) {
    guard fixedLength.isFinite, size.isFinite else { return }
    sizes[id, default: [:]][fixedLength] = size
  }

  /// Removes all measured sizes of a view, because its content has changed.
  ///
  /// - Complexity: O(1).
  public mutating func remove(_ id: ID) {
    sizes[id] = nil
  }

  /// Removes everything, because the font has changed.
  public mutating func removeAll() {
    sizes = [:]
  }

  /// Applies all measured sizes that are valid for a solved layout.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - path: Returns the path of an identifier; `nil` if it is not in the layout.
  /// - Throws: ``LayoutError`` if the content would be too long for numbers. The layout is unchanged then.
  /// - Complexity: O(m · log n) for m sizes and n items, and copying the list of sections. A waterfall
  ///   costs O(items · log lanes).
  public func apply(
    to layout: inout SolvedLayout, path: (ID) -> LayoutPath?
  ) throws(LayoutError) {
    var valid: [LayoutPath: LayoutExtent] = [:]
    for (id, answers) in sizes {
      guard let path = path(id), let proposal = layout.sizeProposal(for: .item(path)),
        let size = answers[proposal.fixedLength]
      else { continue }
      valid[path] = size.notNegative
    }
    var applied = layout
    try applied.takeIfMeasured(valid)
    layout = applied
    layout._checkInvariants()
  }
}
