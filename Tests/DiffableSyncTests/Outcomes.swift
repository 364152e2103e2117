import Diffable
import DiffableSync

extension OptimisticWrite.Outcome {
  /// What the log has accepted.
  var acceptance: Transaction<SectionID, ItemID>? {
    if case .accepted(let made) = self { made } else { nil }
  }

  var failure: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}

extension ProposedWrite.Outcome {
  /// What the owner has accepted.
  var acceptance: ProposalAcceptance<Batch>? {
    if case .accepted(let acceptance) = self { acceptance } else { nil }
  }

  var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
  var failure: (any Error)? { if case .failed(let error) = self { error } else { nil } }
}

extension ProposalAnswer {
  var acceptance: ProposalAcceptance<Batch>? {
    if case .accepted(let acceptance) = self { acceptance } else { nil }
  }

  var refusal: Refusal? { if case .refused(let refusal) = self { refusal } else { nil } }
}

extension ReplicationError {
  /// What its case is called.
  var name: String { Mirror(reflecting: self).children.first?.label ?? "" }
}
