/// The sizes that views have answered, by identifier and by the width they were asked at.
///
/// A ``SolvedLayout`` knows positions, not identifiers: what was measured moves with its item when
/// items are inserted, and is out of date when the width changes. This is the memory a host keeps
/// beside it; turning a device and turning it back measures nothing again.
///
/// ```swift
/// sizes.record(answer, for: id, fixedLength: proposal.fixedLength)
/// // … the view is resized …
/// var solved = try layout.solve(itemCounts: counts, in: wider)
/// try sizes.apply(to: &solved) { id in paths[id] }
/// ```
public struct MeasuredSizes<ID: Hashable & Sendable>: Sendable {
  /// The answers of one view, by the length that was fixed while it was measured.
  private var sizes: [ID: [Double: LayoutExtent]] = [:]

  /// Creates an empty memory.
  public init() {}

  /// The number of views of which an answer is known.
  public var count: Int { sizes.count }

  /// The answer of a view at a width; `nil` when it was not asked at this one.
  ///
  /// - Complexity: O(1).
  public func size(for id: ID, fixedLength: Double) -> LayoutExtent? {
    sizes[id]?[fixedLength]
  }

  /// Remembers an answer.
  ///
  /// A width that is not a number is not remembered.
  ///
  /// - Complexity: O(1).
  public mutating func record(_ size: LayoutExtent, for id: ID, fixedLength: Double) {
    guard fixedLength.isFinite, size.isFinite else { return }
    sizes[id, default: [:]][fixedLength] = size
  }

  /// Forgets all answers of a view: its content has changed.
  ///
  /// - Complexity: O(1).
  public mutating func remove(_ id: ID) {
    sizes[id] = nil
  }

  /// Forgets everything: the font has changed.
  public mutating func removeAll() {
    sizes = [:]
  }

  /// Gives a solved layout all answers that are good for it.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - path: The place of an identifier; `nil` when it is not in the layout.
  /// - Throws: ``LayoutError`` when a size cannot be taken over.
  /// - Complexity: O(m · log n) for m answers and n items.
  public func apply(
    to layout: inout SolvedLayout, path: (ID) -> LayoutPath?
  ) throws(LayoutError) {
    for (id, answers) in sizes {
      guard let path = path(id) else { continue }
      let element = LayoutElement.item(path)
      guard let proposal = layout.sizeProposal(for: element),
        let size = answers[proposal.fixedLength]
      else { continue }
      try layout.setMeasuredSize(size, of: element)
    }
  }
}
