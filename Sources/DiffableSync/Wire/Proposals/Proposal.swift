public import Diffable

/// A change that a follower in another process wants to be made.
///
/// It is a delta from a state that the follower was given, the *base*, to the state that the follower
/// made of it. It has a name of its own, so that it is made once even if it arrives twice. The owner of the
/// list takes it with `accept(_:_:)`.
///
/// ```swift
/// let proposal = try Proposal<ModelBatch<String, Note>>.read(body) {
///   try JSONDecoder().decode(Proposal.self, from: Data($0))
/// }
/// let answer = try await source.accept(proposal) { change, draft in
///   guard user.canWrite else { throw Refusal(code: "forbidden", reason: "You may only read.") }
/// }
/// ```
///
/// <doc:ProposalFormat> describes the JSON text field by field, for followers in other languages.
public struct Proposal<Batch: DeltaBatch>: Sendable {
  /// The delta, without a target and without counts.
  let delta: Batch.Delta
  /// The name of the proposal.
  public let id: WriteID
  /// The state that the follower has changed.
  public let base: ResumeToken
  /// The limits within which it was read; the list after it must be within them, too.
  private(set) var limits = DeltaLimits()

  /// Makes the proposal that a delta is; `nil` if it is none.
  init?(_ delta: Batch.Delta) {
    guard let id = delta.update.frame.proposal?.id, let base = delta.base else { return nil }
    (self.delta, self.id, self.base) = (delta, id, base)
  }

  /// Makes a proposal of what a batch changes.
  ///
  /// - Parameters:
  ///   - batch: Leads from the base to what the follower made of it.
  ///   - base: The token of the base, which the owner of the list has given to the follower.
  ///   - name: The name of the change, for undo.
  ///   - id: The name of the proposal. One that is sent again has the same name.
  /// - Complexity: The same as that of the delta of a batch.
  public init(
    _ batch: Batch, basedOn base: ResumeToken, named name: String? = nil, id: WriteID = WriteID()
  ) {
    self.init(batch, basedOn: base, named: name, id: id, seen: GivenContent(), by: .change)
  }

  /// - Parameters:
  ///   - seen: The versions that the writer has seen of models which others had changed in the base.
  ///   - rule: Whether it takes back another change.
  ///   - reversed: The proposal that it takes back.
  init(
    _ batch: Batch, basedOn base: ResumeToken, named name: String?, id: WriteID,
    seen: GivenContent<Batch.SectionID, Batch.ItemID>, by rule: MergeRule,
    reversing reversed: WriteID? = nil
  ) {
    let frame = _ProposalFrame(
      id: id, name: name, base: base, isUndo: rule == .undo, reverses: reversed)
    delta = batch.delta._proposed(frame, seen: seen)
    (self.id, self.base) = (id, base)
  }

  /// What counts of a model that others have changed too.
  var rule: MergeRule { delta.update.frame.proposal?.isUndo == true ? .undo : .change }

  /// The proposal that it takes back.
  var reverses: WriteID? { delta.update.frame.proposal?.reverses }

  /// The name of the change, for undo.
  public var name: String? { delta.update.frame.proposal?.name }

  /// How the follower wants the change to be shown.
  public var presentation: Presentation { delta.update.presentation }

  /// Reads a proposal from JSON text, within limits.
  ///
  /// - Parameters:
  ///   - text: The text, in UTF-8.
  ///   - limits: How large the proposal may be, and the list after it, which is checked when it is
  ///     accepted.
  ///   - decode: Decodes the text. This package has no JSON decoder of its own.
  /// - Throws: ``DeltaError`` if the text is too large, is not a proposal, or has an unknown format, and if the
  ///   name of the change is too long.
  /// - Complexity: O(b) for b bytes, besides what the decoder needs.
  public static func read<Text: Sequence<UInt8>>(
    _ text: Text, limits: DeltaLimits = DeltaLimits(), decode: (Text) throws -> Self
  ) throws(DeltaError) -> Self {
    var proposal = try limits.read(text, decode)
    try limits.check(elements: proposal.delta.elementCount)
    try limits.check(nameOfChange: proposal.name)
    proposal.limits = limits
    return proposal
  }
}

private enum Field: String, CodingKey {
  case format, id, base
}

extension Proposal: Codable where Batch.Delta: Codable {
  /// Reads what ``encode(to:)`` writes; unknown fields are ignored.
  ///
  /// - Throws: `DecodingError` if the data is invalid.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Field.self)
    // Without them it would be read as another delta, which needs a target.
    if try fields.decode(Int.self, forKey: .format) == 1 {
      for field in [Field.id, .base] where !fields.contains(field) {
        throw DecodingError.keyNotFound(
          field, .init(codingPath: fields.codingPath, debugDescription: "A proposal needs it."))
      }
    }
    guard let proposal = Self(try Batch.Delta(from: decoder)) else {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: decoder.codingPath, debugDescription: "A proposal has an “id” and a “base”."))
    }
    self = proposal
  }

  /// Writes the fields that <doc:ProposalFormat> describes, without empty fields.
  public func encode(to encoder: any Encoder) throws {
    try delta.encode(to: encoder)
  }
}

extension UpdateDelta {
  /// The same change as a proposal.
  public func _proposed(
    _ proposal: _ProposalFrame, seen: _GivenContent<SectionID, ItemID>
  ) -> Self {
    Self(
      frame: DeltaFrame(
        proposal: proposal, base: proposal.base, target: ResumeToken(""),
        presentation: presentation, difference: difference, counts: nil),
      sections: sections, items: items, outlines: outlines, renamedItems: renamedItems,
      placed: placed, droppedItems: [], droppedSections: [])
  }
}

extension ModelDelta {
  /// The same change as a proposal.
  public func _proposed(
    _ proposal: _ProposalFrame, seen: _GivenContent<SectionID, Model.ID>
  ) -> Self {
    Self(
      update: update._proposed(proposal, seen: GivenContent()), models: models, sections: sections,
      seen: Content(seen))
  }
}

/// What a proposal would change, for the function that decides on it.
public struct ProposedChange<Batch: DeltaBatch>: Sendable {
  /// The name of the proposal.
  public let id: WriteID
  /// The name of the change, for undo.
  public let name: String?
  /// The change as it would be made now: the live state, the state after it, and what differs.
  public let batch: Batch
  /// The contradictions between the proposal and what others have changed since its base.
  ///
  /// Conflicts with changes that the writer had received before the proposal was sent are not among
  /// them. They are in the answer only.
  public let conflicts: [MergeConflict<Batch.SectionID, Batch.ItemID>]

  /// The changes, one after another, as `batch.changes`, and then `updateSection` for each section whose outline or
  /// hidden rows differ.
  ///
  /// All others are those of visible rows. What a proposal does to the rows that folded ones hide is in the outlines of
  /// `batch`, and in `models` and `removedItems` of a `ModelBatch`. A proposal can also make an outline of a list. If
  /// ``Proposal/presentation`` is `reset`, all sections are deleted and inserted.
  ///
  /// - Complexity: O(c · log n) for c changes among n items.
  public var changes: [ListChange<Batch.SectionID, Batch.ItemID>] {
    let state = batch.snapshot
    return batch.changes
      + outlineChanges.ranges.joined().compactMap { index in
        state.sectionIdentifier(at: index).map { .updateSection($0, at: index) }
      }
  }

  /// The sections with an outline that is new or differs, or with other models of hidden rows.
  private var outlineChanges: RangeSet<Int> {
    let (difference, state) = (batch.update.difference, batch.snapshot)
    var sections = difference.outlineChanges
    for index in difference.sectionInserts.ranges.joined()
    where state.outline(ofSectionAt: index) != nil {
      sections.insert(contentsOf: index..<index + 1)
    }
    guard state.base.order.totals.hiddenRows > 0, let previous = batch.previousSnapshot else {
      return sections
    }
    state.givenContent(since: previous).items?.forEach { item, _, _ in
      let item = item.assumingMemoryBound(to: Batch.ItemID.self).pointee
      guard state.itemPath(for: item) == nil,
        let section = state.sectionIdentifier(containingItem: item),
        let index = state.indexOfSection(section)
      else { return }
      sections.insert(contentsOf: index..<index + 1)
    }
    return sections
  }
}
