/// A violation of a law for some snapshots.
public struct LawViolation: Error, Hashable, Sendable {
  /// The law.
  public let law: DifferenceLaw
  /// What was expected and what was found, with the snapshots.
  public let explanation: String

  init(_ law: DifferenceLaw, _ explanation: String) {
    self.law = law
    self.explanation = explanation
  }
}

extension LawViolation: CustomStringConvertible {
  /// The law and the explanation.
  public var description: String { "\(law.rawValue): \(explanation)" }
}
