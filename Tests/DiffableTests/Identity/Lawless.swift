import Synchronization

/// A law of `Hashable` that an identifier may break.
enum BrokenLaw: String, CaseIterable, Codable, Sendable {
  /// No law: that the scripts below are about something.
  case none
  /// Some identifiers are equal to nothing, not even to themselves, as NaN is.
  case someNeverEqual
  /// No identifier is equal to itself.
  case neverEqual
  /// All are equal, and their hashes differ.
  case alwaysEqual
  /// All are equal, and their hashes are.
  case alwaysEqualOneHash
  /// Equality holds in one direction only.
  case asymmetric
  case asymmetricOneHash
  /// Neighbours are equal, and the neighbours of neighbours are not.
  case intransitive
  /// Equality is tossed for.
  case random
  case randomOneHash
  /// A hash is another one each time.
  case changingHash
  /// Neither equality nor hash mean anything.
  case everything
}

extension BrokenLaw {
  /// Whether identifiers that are different are never equal.
  var tellsApart: Bool {
    switch self {
    case .none, .someNeverEqual, .neverEqual, .changingHash: true
    default: false
    }
  }
}

/// Counts what identifiers are asked, and stops the process where that has no end.
final class Effort: Sendable {
  private let questions = Atomic(0)
  private let limit = Atomic(Int.max)

  /// Allows so many questions from now on.
  func allow(_ count: Int) {
    questions.store(0, ordering: .relaxed)
    limit.store(count, ordering: .relaxed)
  }

  var count: Int { questions.load(ordering: .relaxed) }

  func ask() {
    let (count, limit) = (
      questions.add(1, ordering: .relaxed).newValue, limit.load(ordering: .relaxed)
    )
    precondition(count <= limit, "\(limit) questions were not enough")
  }
}

/// An identifier that breaks a law.
struct Lawless: Hashable, Sendable, CustomStringConvertible {
  let number: Int
  let law: BrokenLaw
  let effort: Effort

  static func == (left: Self, right: Self) -> Bool {
    left.effort.ask()
    return switch left.law {
    case .none, .changingHash: left.number == right.number
    case .someNeverEqual: left.number == right.number && left.number % 3 != 0
    case .neverEqual: false
    case .alwaysEqual, .alwaysEqualOneHash: true
    case .asymmetric, .asymmetricOneHash: left.number <= right.number
    case .intransitive: abs(left.number - right.number) <= 1
    case .random, .randomOneHash, .everything: left.effort.toss
    }
  }

  func hash(into hasher: inout Hasher) {
    effort.ask()
    switch law {
    case .none, .someNeverEqual, .neverEqual, .alwaysEqual, .asymmetric, .random:
      hasher.combine(number)
    case .intransitive: hasher.combine(number / 4)
    case .alwaysEqualOneHash, .asymmetricOneHash, .randomOneHash: break
    case .changingHash: hasher.combine(effort.count)
    case .everything: hasher.combine(effort.count % 3)
    }
  }

  var description: String { "\(number)" }
}

extension Effort {
  /// Heads or tails: a mixture of the bits of the number of questions, the same in every run.
  fileprivate var toss: Bool {
    var bits = UInt64(truncatingIfNeeded: count) &* 0x9e37_79b9_7f4a_7c15
    bits ^= bits >> 29
    return (bits &* 0xbf58_476d_1ce4_e5b9) >> 63 == 0
  }
}
