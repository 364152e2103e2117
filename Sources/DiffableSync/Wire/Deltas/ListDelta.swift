public import Diffable

/// A change of a list for followers in other processes: an ``UpdateDelta`` or a ``ModelDelta``.
///
/// A ``MirrorSource`` applies deltas of either type.
public protocol ListDelta<SectionID, ItemID>: Sendable {
  /// What identifies sections.
  associatedtype SectionID: Hashable & Sendable
  /// What identifies items.
  associatedtype ItemID: Hashable & Sendable

  /// The changes of the order, and the rows and headers with new content.
  var update: UpdateDelta<SectionID, ItemID> { get }
  /// The models of the delta.
  ///
  /// Public, as every requirement of a public protocol; only this package uses it.
  var _content: _DeltaContent<SectionID, ItemID> { get }
  /// The same change as a proposal.
  ///
  /// Public, as every requirement of a public protocol; only this package uses it.
  func _proposed(_ proposal: _ProposalFrame, seen: _GivenContent<SectionID, ItemID>) -> Self
}

package typealias DeltaContent = _DeltaContent

/// The models of a delta.
///
/// Public, since `_content` is a requirement of a public protocol; only this package uses it.
public struct _DeltaContent<SectionID: Hashable & Sendable, ItemID: Hashable & Sendable>: Sendable {
  /// Models in the form that a writer gives them; throws if an item or a section has two.
  typealias Given =
    @Sendable (SnapshotKernels) throws(DeltaError) -> GivenContent<SectionID, ItemID>

  /// The number of new models, those of sections included.
  var count = 0
  /// The new models.
  var given: Given = { _ throws(DeltaError) in GivenContent() }
  /// The number of versions that were seen.
  var seenCount = 0
  /// The versions that the writer of a proposal has seen of models which others had changed in its base.
  var seen: Given = { _ throws(DeltaError) in GivenContent() }
}

extension ListDelta {
  /// Whether the delta has the whole state.
  ///
  /// - Complexity: O(1).
  public var isReset: Bool { base == nil }

  /// The name of the state that the delta starts from; `nil` in a reset.
  public var base: ResumeToken? { update.frame.base }

  /// The name of the state that the delta leads to.
  public var target: ResumeToken { update.frame.target }

  /// The number of elements and models that the delta names.
  var elementCount: Int {
    let models = _content
    return update.namedCount + models.count + models.seenCount
  }

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
  /// - Throws: ``DeltaError`` if the text is too large, is not a delta, or has an unknown format.
  /// - Complexity: O(b) for b bytes, besides what the decoder needs.
  public static func read<Text: Sequence<UInt8>>(
    _ text: Text, limits: DeltaLimits = DeltaLimits(), decode: (Text) throws -> Self
  ) throws(DeltaError) -> Self {
    let delta = try limits.read(text, decode)
    try limits.check(elements: delta.elementCount)
    return delta
  }
}

/// A batch that followers in other processes can apply, as a delta: with or without models.
public protocol DeltaBatch<SectionID, ItemID>: ListBatch {
  /// What a follower in another process needs from a batch.
  associatedtype Delta: ListDelta<SectionID, ItemID>

  /// What a follower in another process needs from this batch.
  var delta: Delta { get }
}

extension UpdateBatch: DeltaBatch {
  /// The part of this batch that a follower elsewhere needs.
  ///
  /// - Complexity: The same as ``UpdateDelta/init(_:)``.
  public var delta: UpdateDelta<SectionID, ItemID> { UpdateDelta(self) }
}

extension ModelBatch: DeltaBatch {
  /// The part of this batch that a follower elsewhere needs, including models.
  ///
  /// - Complexity: The same as ``ModelDelta/init(_:)``.
  public var delta: ModelDelta<SectionID, Model> { ModelDelta(self) }
}

extension UpdateBatch {
  /// What leads from one state of a list to another, in whatever order they were made.
  ///
  /// - Parameters:
  ///   - base: The name of the first state.
  ///   - target: The name of the second state.
  ///   - marks: What was renamed and placed on the way.
  /// - Returns: `nil` if a name is no token.
  /// - Complexity: O(d · log n) for d leaves that differ.
  init?(
    from old: Snapshot<SectionID, ItemID>, named base: ResumeToken,
    to new: Snapshot<SectionID, ItemID>, named target: ResumeToken,
    _ marks: Snapshot<SectionID, ItemID>.Marks, _ presentation: Presentation = .animated
  ) {
    guard let base = base.parts, let target = target.parts else { return nil }
    self.init(
      BatchStep(
        epoch: base.epoch, base: base.place.revision, target: target.place.revision,
        difference: new.difference(fromState: old, marks: marks), previousSnapshot: old.base,
        snapshot: new.base, presentation: presentation, isFromSource: true,
        digests: (base.place.digest, target.place.digest)))
    notes = TypedRevisionNotes(.init(marks: marks))
  }
}
