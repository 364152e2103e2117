public import Diffable

/// What the owner of a list says to a ``Proposal``.
public enum ProposalAnswer<Batch: DeltaBatch>: Sendable {
  /// The change is part of the list.
  case accepted(ProposalAcceptance<Batch>)
  /// The change was not made, and never will be.
  case refused(Refusal)
  /// The owner no longer knows the base. Nothing was changed.
  ///
  /// Make the change again on a state that the owner knows, and propose that under the same name.
  case unknownBase
}

/// What became of a proposal that was accepted.
public struct ProposalAcceptance<Batch: DeltaBatch>: Sendable {
  /// The state that has the change first.
  ///
  /// A follower shows it when it holds this state or a later one.
  public let token: ResumeToken
  /// The contradictions between the proposal and what others had changed by then.
  public let conflicts: [MergeConflict<Batch.SectionID, Batch.ItemID>]
  /// The models that others have made of items which the proposal has changed or deleted.
  ///
  /// They are the models of the conflicts `Contradiction.changedTwice` and
  /// `Contradiction.deletedButChanged`. The follower knows the other two versions.
  public let theirs: [Batch.Element]
  /// What leads from the base of the proposal to the state that has the change, if the owner has said it.
  ///
  /// So a follower need not wait for its stream, and can propose the next change at once.
  var delta: Batch.Delta?
  /// What leads from the state that has the change back to the one just before, if that is not the base of the
  /// proposal.
  ///
  /// So undo brings back what the owner had, and not what the follower had shown.
  var reverse: Batch.Delta?
}

extension ProposalAcceptance {
  init(token: ResumeToken, _ found: Contradictions<Batch.SectionID, Batch.ItemID>) {
    self.init(
      token: token, conflicts: found.conflicts,
      theirs: found.conflicts.compactMap { conflict in
        Self.itemWithModel(of: conflict).flatMap {
          found.versions(of: $0, as: Batch.Element.self)?.theirs
        }
      })
  }

  /// The item of which ``theirs`` has a model for a contradiction, if the list has models.
  private static func itemWithModel(
    of conflict: MergeConflict<Batch.SectionID, Batch.ItemID>
  ) -> Batch.ItemID? {
    switch conflict {
    case .item(let item, .changedTwice), .item(let item, .deletedButChanged): item
    // A row whose place contradicts the writer's may be in the list once more for its model.
    case .item, .section: nil
    }
  }

  typealias Conflict = MergeConflict<Batch.SectionID, Batch.ItemID>

  /// The same with other contradictions, and without those that the writer knows of.
  ///
  /// - Parameter other: They have no token and no delta that counts.
  func adding(_ other: Self?, except told: [Conflict]) -> Self {
    let told = IdentifierSet(told)
    let own = excluding(told)
    let other = (other ?? own).excluding(told).excluding(IdentifierSet(conflicts))
    let all = own.conflicts + other.conflicts
    return Self(
      token: token, conflicts: all.filter(\.isSection) + all.filter { !$0.isSection },
      theirs: own.theirs + other.theirs)
  }

  /// The contradictions that are not among those that are known, with their models.
  private func excluding(_ known: IdentifierSet<Conflict>) -> Self {
    let left = conflicts.filter { !known.contains($0) }
    let changed = conflicts.filter { Self.itemWithModel(of: $0) != nil }
    // An owner that gives no model for some of them does not say which.
    guard changed.count == theirs.count else {
      return Self(token: token, conflicts: left, theirs: left.isEmpty ? [] : theirs)
    }
    return Self(
      token: token, conflicts: left,
      theirs: zip(changed, theirs).filter { !known.contains($0.0) }.map { $0.1 })
  }
}

/// Why a proposal was refused: a reason for a person, and a code for a program.
///
/// Throw it from the function of `accept(_:_:)`.
public struct Refusal: Error, Hashable, Codable, Sendable, CustomStringConvertible {
  /// What a program decides by.
  public let code: String
  /// A sentence that can be shown to a person.
  public let reason: String

  /// Creates a refusal.
  public init(code: String, reason: String) {
    (self.code, self.reason) = (code, reason)
  }

  /// The refusal of a proposal that does not fit, is too large or cannot be read.
  ///
  /// Its code is ``DeltaError/code``, and its reason what the error says. The owner keeps it, and the error may
  /// name identifiers of any length, so a very long one is cut after 1,000 characters.
  public init(_ error: DeltaError) {
    // A single `Character` has any length as well.
    let fault = error.fault.unicodeScalars
    guard !fault.dropFirst(1_000).isEmpty else {
      self.init(code: error.code, reason: error.description)
      return
    }
    self.init(code: error.code, reason: String(fault.prefix(1_000)) + "… Nothing was changed.")
  }

  /// The reason.
  public var description: String { reason }
}

extension ProposalAnswer: Codable
where
  Batch.SectionID: Codable, Batch.ItemID: Codable, Batch.Element: Codable, Batch.Delta: Codable
{
  private enum Key: String, CodingKey {
    case answer
    case token
    case delta
    case reverse
    case conflicts
    case theirs
    case code
    case reason
  }

  private enum Kind: String, Codable {
    case accepted
    case refused
    case unknownBase
  }

  /// Reads what ``encode(to:)`` writes; unknown fields and contradictions are ignored.
  ///
  /// - Throws: `DecodingError` if the data is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    switch try container.decode(Kind.self, forKey: .answer) {
    case .accepted:
      self = .accepted(
        ProposalAcceptance(
          token: try container.decode(ResumeToken.self, forKey: .token),
          conflicts: try container.decodeIfPresent(
            [KnownConflict<Batch.SectionID, Batch.ItemID>].self, forKey: .conflicts)?
            .compactMap(\.conflict) ?? [],
          theirs: try container.decodeIfPresent([Batch.Element].self, forKey: .theirs) ?? [],
          delta: try container.decodeIfPresent(Batch.Delta.self, forKey: .delta),
          reverse: try container.decodeIfPresent(Batch.Delta.self, forKey: .reverse)))
    case .refused: self = .refused(try Refusal(from: decoder))
    case .unknownBase: self = .unknownBase
    }
  }

  /// Writes the fields that <doc:ProposalFormat> describes, without empty fields.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .accepted(let acceptance):
      try container.encode(Kind.accepted, forKey: .answer)
      try container.encode(acceptance.token, forKey: .token)
      if !acceptance.conflicts.isEmpty {
        try container.encode(acceptance.conflicts, forKey: .conflicts)
      }
      if !acceptance.theirs.isEmpty { try container.encode(acceptance.theirs, forKey: .theirs) }
      try container.encodeIfPresent(acceptance.delta, forKey: .delta)
      try container.encodeIfPresent(acceptance.reverse, forKey: .reverse)
    case .refused(let refusal):
      try container.encode(Kind.refused, forKey: .answer)
      try refusal.encode(to: encoder)
    case .unknownBase: try container.encode(Kind.unknownBase, forKey: .answer)
    }
  }
}

/// A contradiction in an answer, which may be that of a later version.
private struct KnownConflict<SectionID, ItemID>: Decodable
where SectionID: Hashable & Sendable & Codable, ItemID: Hashable & Sendable & Codable {
  /// The contradiction; `nil` if this version does not know it.
  ///
  /// Without the rest of the answer, the follower would send its proposal for ever.
  let conflict: MergeConflict<SectionID, ItemID>?

  private enum Key: String, CodingKey {
    case contradiction
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let text = try container.decode(String.self, forKey: .contradiction)
    conflict = try Contradiction(rawValue: text).map { _ in try MergeConflict(from: decoder) }
  }
}
