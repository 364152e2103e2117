import Diffable
import Foundation

/// Which machines have said nothing for a while, and since when.
///
/// A machine that is switched off or cut off says nothing about that: its list only stays as it is.
struct MachineSilence {
  /// How often a machine on which nothing changes says that it is there.
  static let heartbeat = Duration.seconds(5)
  /// How long a machine may say nothing; three heartbeats.
  static let limit = Duration.seconds(15)

  private struct Word {
    let revision: Revision
    let instant: ContinuousClock.Instant
    let date: Date
  }

  private var last: [String: Word] = [:]

  /// The machines that are silent, and when their last word came.
  ///
  /// - Parameters:
  ///   - revisions: The revisions of the lists of all machines.
  ///   - instant: The time.
  ///   - date: The same time as a date.
  mutating func silent(
    _ revisions: [String: Revision], at instant: ContinuousClock.Instant, _ date: Date
  ) -> [String: Date] {
    last = last.filter { revisions[$0.key] != nil }
    for (name, revision) in revisions where last[name]?.revision != revision {
      last[name] = Word(revision: revision, instant: instant, date: date)
    }
    return last.filter { $0.value.instant.duration(to: instant) > Self.limit }.mapValues(\.date)
  }
}
