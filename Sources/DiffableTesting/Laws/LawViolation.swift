/// A violation of a law of differences, of list hosts, or of shared logs.
public struct LawViolation<Law: RawRepresentable<String> & Hashable & Sendable>: Error, Hashable,
  Sendable, CustomStringConvertible
{
  /// The law.
  public let law: Law
  /// What was expected and what was found, and where.
  public let explanation: String

  init(_ law: Law, _ explanation: String) {
    (self.law, self.explanation) = (law, explanation)
  }

  /// The law and the explanation.
  public var description: String { "\(law.rawValue): \(explanation)" }
}
