/// What a follower in another process needs to go from one state to the next: an ``UpdateDelta``, or
/// a ``ModelDelta``.
///
/// A ``MirrorSource`` takes deltas of either type.
public protocol ListDelta<SectionID, ItemID>: Sendable {
  /// What identifies sections.
  associatedtype SectionID: Hashable & Sendable
  /// What identifies items.
  associatedtype ItemID: Hashable & Sendable

  /// What changed in the order, and which rows and headers show something else.
  var update: UpdateDelta<SectionID, ItemID> { get }
  /// The models that come with it; for this package alone.
  var content: DeltaContent<SectionID, ItemID> { get }
}

/// The models of a delta.
public struct DeltaContent<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// The number of models, those of sections included.
  let count: Int
  /// The models as a writer would give them; throws if an item or a section has two.
  let given: @Sendable (SnapshotKernels) throws(DeltaError) -> GivenContent<SectionID, ItemID>
}

extension ListDelta {
  /// Whether the delta holds the whole state.
  ///
  /// - Complexity: O(1).
  public var isReset: Bool { base == nil }

  /// The name of the state that the delta starts from; `nil` in a reset.
  public var base: ResumeToken? { update.base }

  /// The name of the state that the delta leads to.
  public var target: ResumeToken { update.target }

  /// The number of elements and models that the delta names.
  var elementCount: Int { update.namedCount + content.count }

  /// Reads a delta from JSON text, within limits.
  ///
  /// ```swift
  /// let delta = try UpdateDelta<String, Int>.read(line) {
  ///   try JSONDecoder().decode(UpdateDelta.self, from: Data($0))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - text: The text, in UTF-8.
  ///   - limits: How large it may be.
  ///   - decode: Decodes the text. This package has no JSON decoder of its own.
  /// - Throws: ``DeltaError`` for a text that is too large, for anything that is not a delta, and for
  ///   a format that is not known.
  /// - Complexity: O(b) for b bytes, besides what the decoder needs.
  public static func read<Text: Sequence<UInt8>>(
    _ text: Text, limits: DeltaLimits = DeltaLimits(), decode: (Text) throws -> Self
  ) throws(DeltaError) -> Self {
    let delta = try limits.read(text, decode)
    try limits.check(elements: delta.elementCount)
    return delta
  }
}
