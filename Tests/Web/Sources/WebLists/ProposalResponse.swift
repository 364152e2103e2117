package import Diffable
package import DiffableSync
package import Foundation
import HTTPTypes
import Hummingbird

extension EditableListSource
where
  Batch: DeltaBatch, Batch.Delta: Codable, SectionID: Codable, ItemID: Codable,
  Batch.Element: Codable
{
  /// Answers the text of a proposal, both as JSON.
  ///
  /// A text that is no proposal, or too large, is refused like one that may not be made: its sender need
  /// not try again.
  ///
  /// - Throws: `DataSourceError.finished` if the list has ended.
  package func answer(
    to text: Data,
    _ decide:
      sending (_ change: ProposedChange<Batch>, _ draft: inout Batch.Draft) throws -> Void
  ) throws -> Data {
    let answer: ProposalAnswer<Batch>
    do {
      let proposal = try Proposal<Batch>.read(text) {
        try JSONDecoder().decode(Proposal.self, from: $0)
      }
      answer = try accept(proposal, decide)
    } catch let error as DeltaError {
      answer = .refused(Refusal(error))
    }
    return try JSONEncoder().encode(answer)
  }
}

extension ReplicatedSource
where
  Batch.Delta: Codable, SectionID: Codable, ItemID: Codable, Batch.Element: Codable
{
  /// Answers the text of a proposal, as a source in memory does.
  ///
  /// - Throws: `HTTPError` if the log does not take the change at present: the page sends it again.
  package func answer(
    to text: Data,
    _ decide:
      @escaping @Sendable (_ change: ProposedChange<Batch>, _ draft: inout Batch.Draft) throws ->
      Void
  ) async throws -> Data {
    let answer: ProposalAnswer<Batch>
    do {
      let proposal = try Proposal<Batch>.read(text) {
        try JSONDecoder().decode(Proposal.self, from: $0)
      }
      answer = try await accept(proposal, decide)
    } catch let error as DeltaError {
      answer = .refused(Refusal(error))
    } catch is ReplicationError {
      throw HTTPError(.serviceUnavailable, message: "The list cannot be changed at present.")
    }
    return try JSONEncoder().encode(answer)
  }
}
