/// A number that stands for all entries of a shared log up to a revision, in their order.
///
/// Each entry changes it, by the random name of its write. So two participants that have the same
/// digest at a revision have the same list there, and servers that have lost entries and accepted
/// others in their place give another digest from there on.
///
/// It protects from accidents, not from attacks: two histories that differ have the same digest with a
/// probability of 2⁻⁶⁴. The digest after an entry is `m(m(d + γ ^ h) ^ l)` with wrapping arithmetic.
/// d is the digest before it, h and l are the two halves of its name, γ is 0x9E3779B97F4A7C15, and m
/// is ``Swift/UInt64/mixed``.
package struct HistoryDigest: Hashable, Sendable {
  let bits: UInt64

  /// The digest of an empty log, of logs that were written before there were digests, and of sources
  /// without a log.
  package static let none = HistoryDigest(bits: 0)

  /// The digest after one more entry.
  package func appending(_ high: UInt64, _ low: UInt64) -> HistoryDigest {
    let bits = (((bits &+ 0x9E37_79B9_7F4A_7C15) ^ high).mixed ^ low).mixed
    // 0 means that there is none.
    return HistoryDigest(bits: max(bits, 1))
  }
}

/// A revision of a source, and the history that has led to it.
package struct HistoryPlace: Hashable, Sendable {
  package var revision: Revision
  package var digest: HistoryDigest

  package init(revision: Revision, digest: HistoryDigest) {
    (self.revision, self.digest) = (revision, digest)
  }

  package static let start = HistoryPlace(revision: .empty, digest: .none)
}

extension UInt64 {
  /// Bits that depend on all bits of the number, and that differ for each number.
  ///
  /// It is the last step of SplitMix64.
  var mixed: UInt64 {
    var bits = self
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}
