public import Diffable

/// A rule that an update violated, and where.
public struct ListViolation: Error, Hashable, Sendable {
  /// The violated rule.
  public let rule: ListRule
  /// The call that violated it; `nil` if the update as a whole did.
  public let operation: ListOperation?
  /// The state that ``position`` refers to.
  package let indexSpace: ListOperation.IndexSpace?
  /// The affected place.
  package let position: ListOperation.Position?
  /// The identifier at that place, if there is one.
  public let identifier: AnyItemID?
  /// A sentence that says what is wrong.
  public let explanation: String
  /// The index of the stage in the batch that was performed.
  public internal(set) var stage = 0

  /// Creates a violation at a place, by a call if one caused it.
  init(
    _ rule: ListRule, _ operation: ListOperation?, at position: ListOperation.Position?,
    _ indexSpace: ListOperation.IndexSpace, identifier: AnyItemID?, _ explanation: String
  ) {
    self.rule = rule
    self.operation = operation
    self.indexSpace = indexSpace
    self.position = position
    self.identifier = identifier
    self.explanation = explanation
  }

  /// Creates a violation by the update as a whole.
  init(_ rule: ListRule, _ explanation: String) {
    self.rule = rule
    self.explanation = explanation
    operation = nil
    indexSpace = nil
    position = nil
    identifier = nil
  }
}

extension ListViolation: CustomStringConvertible {
  /// The stage, the rule, the call, and what is wrong with it, on one line.
  public var description: String {
    let call = operation.map { "\($0): " } ?? ""
    return "stage \(stage), \(rule): \(call)\(explanation)"
  }
}
