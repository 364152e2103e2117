#if NATS
import Diffable
import DiffableSync
import Synchronization

/// A message of the stream, and the revision that its last entry makes.
///
/// A message may have several entries, so the numbers of messages and revisions differ. A message says
/// which revision its writer has seen. As the stream takes it only after the last message that its writer
/// has seen, this is the revision that the message before it makes.
struct LogPlace: Hashable, Sendable {
  var sequence: UInt64
  var revision: Int

  /// The first message has the epoch.
  static let start = LogPlace(sequence: 1, revision: 0)

  init(sequence: UInt64, revision: Int) {
    (self.sequence, self.revision) = (sequence, revision)
  }

  /// Creates a place of numbers that somebody has written; `nil` if no log can have it.
  ///
  /// Each message makes a revision at least, but for the first one.
  init?(checking sequence: UInt64, _ revision: Int) {
    guard (1...UInt64(Int.max / 2)).contains(sequence), Revision(revision).isOfLog,
      UInt64(revision) >= sequence - 1
    else { return nil }
    self.init(sequence: sequence, revision: revision)
  }
}

/// The places that a log has read or written last.
///
/// It has at least the last 8,192 of them. Invariant: both numbers of a place are larger than those of
/// the place before.
final class KnownPlaces: Sendable {
  private static let limit = 8192
  private let places = Lock<[LogPlace]>([])

  /// The message that makes a revision; `nil` if that is not known.
  subscript(revision: Int) -> LogPlace? {
    let place = around(revision).before
    return place.revision == revision ? place : nil
  }

  /// What a message makes; `nil` if that is not known.
  func place(ofMessage sequence: UInt64) -> LogPlace? {
    if sequence == LogPlace.start.sequence { return .start }
    return places.withLock { places in
      let index = places.partition { $0.sequence >= sequence }
      return index < places.count && places[index].sequence == sequence ? places[index] : nil
    }
  }

  /// The last place that a reader of a revision has passed, and the first one that it has not.
  func around(_ revision: Int) -> (before: LogPlace, after: LogPlace?) {
    places.withLock { places in
      let index = places.partition { $0.revision > revision }
      return (
        index > 0 ? places[index - 1] : .start, index < places.count ? places[index] : nil
      )
    }
  }

  /// Adds a place, unless it is older than all that are kept.
  ///
  /// It replaces places that contradict it: servers may have lost the end of the stream.
  func add(_ place: LogPlace) {
    guard place.sequence > LogPlace.start.sequence else { return }
    places.withLock { places in
      if let last = places.last, last.sequence >= place.sequence || last.revision >= place.revision
      {
        let start = places.partition {
          $0.sequence >= place.sequence || $0.revision >= place.revision
        }
        guard places[start] != place, start > 0 || places.count < Self.limit else { return }
        let end = places.partition { $0.sequence > place.sequence && $0.revision > place.revision }
        places.replaceSubrange(start..<end, with: CollectionOfOne(place))
      } else {
        places.append(place)
      }
      if places.count >= 2 * Self.limit { places.removeFirst(Self.limit) }
    }
  }
}

extension [LogPlace] {
  /// The index of the first place for which a condition holds, which then holds for all after it.
  fileprivate func partition(_ condition: (LogPlace) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
#endif
