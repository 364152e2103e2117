/// The number of a state of a data source.
///
/// Revision 0 is the empty source. Every apply or update that changes something makes the next one.
///
/// A number has no meaning for another source, or for the same source after a restart. So a
/// revision is not `Codable`. Outside the process use a ``ResumeToken``, which a source makes with
/// ``ListSource/token(for:)`` and reads with ``ListSource/revision(for:)``.
public struct Revision: Hashable, Comparable, Sendable {
  /// The number, from 0.
  public let number: Int

  /// Creates the revision with a number.
  public init(_ number: Int) {
    self.number = number
  }

  /// The revision of every source before its first change.
  public static let empty = Revision(0)

  /// The revision that the next change makes.
  ///
  /// Nothing follows the largest number: no source counts so far, but a log or a program may name it.
  package var next: Revision { Revision(number == .max ? .max : number + 1) }
  var previous: Revision { Revision(number == .min ? .min : number - 1) }

  /// Orders revisions by age, oldest first.
  public static func < (left: Revision, right: Revision) -> Bool {
    left.number < right.number
  }
}

extension Revision: CustomStringConvertible {
  /// The number with an `r` before it, such as `r12`.
  public var description: String { "r\(number)" }
}
