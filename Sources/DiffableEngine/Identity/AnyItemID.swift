/// An identifier of any type, for lists whose rows have several types, and for errors.
///
/// If all types are known in one place, an enumeration is better: see <doc:ModellingIdentity>.
///
/// Two values are equal if they wrap the same type and the wrapped values are equal. Unlike
/// `AnyHashable` it is `Sendable`, and an `Int` never equals a `UInt8`.
public struct AnyItemID: Hashable, Sendable, CustomStringConvertible {
  /// The wrapped identifier.
  public let base: any Hashable & Sendable

  /// Wraps an identifier.
  ///
  /// Wrapping an `AnyItemID` returns the same value and does not nest it.
  public init(_ base: some Hashable & Sendable) {
    self.base = (base as? AnyItemID)?.base ?? base
  }

  /// Returns whether both wrap the same type and the wrapped values are equal.
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

  /// The description of the wrapped identifier.
  public var description: String {
    String(describing: base)
  }
}
