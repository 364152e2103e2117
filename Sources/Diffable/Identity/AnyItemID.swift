/// An identifier of any type, for lists whose rows are of several types, and as errors carry it.
///
/// Where all types are known in one place, an enumeration is better: see <doc:ModellingIdentity>.
///
/// Two values are equal when they wrap the same type and that type says they are equal. Unlike
/// `AnyHashable` it is `Sendable`, and an `Int` never equals a `UInt8`.
public struct AnyItemID: Hashable, Sendable, CustomStringConvertible {
  /// The wrapped identifier.
  public let base: any Hashable & Sendable

  /// Wraps an identifier.
  ///
  /// Wrapping an `AnyItemID` again gives the same value, not a box in a box.
  public init(_ base: some Hashable & Sendable) {
    self.base = (base as? AnyItemID)?.base ?? base
  }

  /// Answers whether both wrap the same type and are equal as values of it.
  public static func == (left: AnyItemID, right: AnyItemID) -> Bool {
    func equal<ID: Hashable>(_ value: ID) -> Bool {
      type(of: right.base) == ID.self && (right.base as? ID) == value
    }
    return equal(left.base)
  }

  /// Hashes the wrapped type together with the wrapped value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: base)))
    base.hash(into: &hasher)
  }

  /// What the wrapped identifier says of itself.
  public var description: String {
    String(describing: base)
  }
}
