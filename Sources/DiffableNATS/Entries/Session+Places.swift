#if NATS
import CNATS
import Diffable
import DiffableSync
import Dispatch
import Synchronization

/// Finds out which messages make which revisions.
///
/// The functions block their thread.
extension Session {
  /// Where to read the entries after a revision: after a message that makes it or an earlier one.
  ///
  /// - Returns: The last such message, or `nil` if the next entry was dropped.
  /// - Complexity: Three requests if the place is known, otherwise O(log n) for n messages. A message of
  ///   a stranger does not say what it makes; each one in a row takes one more request.
  func place(before revision: Int) throws(RevisionLogError) -> LogPlace? {
    let last = try lastSequence()
    let (before, after) = places.around(revision)
    // It was read or written here, so the stream has had it.
    guard before.sequence <= last else { throw logIsOlder(than: before.revision) }
    // The entry is still to come.
    guard before.sequence < last else { return before }
    if before.revision == revision || after?.sequence == before.sequence + 1 {
      return try entries(inMessage: before.sequence + 1) == nil ? nil : before
    }
    // The last message whose writer had not seen more than the revision. What was dropped comes before
    // what is there.
    var (low, high) = (before.sequence + 1, min(after?.sequence ?? last, last))
    while low < high {
      let middle = low + (high - low + 1) / 2
      if let found = try revisions(ofMessage: middle), found.lowerBound > revision {
        high = middle - 1
      } else {
        low = middle
      }
    }
    guard let found = try revisions(ofMessage: low), found.lowerBound <= revision else {
      return nil
    }
    let start = LogPlace(sequence: low - 1, revision: found.lowerBound)
    let end = LogPlace(sequence: low, revision: found.upperBound)
    places.add(start)
    places.add(end)
    return end.revision <= revision ? end : start
  }

  /// The last message; `nil` if nothing that is left tells which revision it makes.
  func end() throws(RevisionLogError) -> LogPlace? {
    let last = try lastSequence()
    if let known = places.place(ofMessage: last) { return known }
    guard let found = try revisions(ofMessage: last) else { return nil }
    let end = LogPlace(sequence: last, revision: found.upperBound)
    places.add(end)
    return end
  }

  /// The revision before the entries of a message, and the one that they make; `nil` if the message is
  /// gone, or nothing tells.
  private func revisions(ofMessage sequence: UInt64) throws(RevisionLogError) -> Range<Int>? {
    guard let message = try entries(inMessage: sequence) else { return nil }
    let count = message.entries.count
    if let base = message.base { return base..<base + count }
    if let known = places.place(ofMessage: sequence) {
      return known.revision - count..<known.revision
    }
    // Strangers' messages are counted from one that tells.
    var (between, before) = (0, sequence - 1)
    while before > 0 {
      if let known = places.place(ofMessage: before) {
        let base = known.revision + between
        return base..<base + count
      }
      guard let found = try entries(inMessage: before) else { break }
      between += found.entries.count
      if let base = found.base { return base + between..<base + between + count }
      before -= 1
    }
    // Those before were dropped.
    var (end, next) = (count, sequence + 1)
    while let found = try entries(inMessage: next) {
      if let base = found.base { return base - end..<base - end + count }
      end += found.entries.count
      if let known = places.place(ofMessage: next) {
        return known.revision - end..<known.revision - end + count
      }
      next += 1
    }
    return nil
  }

  /// The entries in a message; `nil` if there is no such message.
  private func entries(
    inMessage sequence: UInt64
  ) throws(RevisionLogError) -> AppendMessage.Content? {
    let epoch = epoch
    return try context.with { context throws(RevisionLogError) in
      try message(sequence, of: names.log, context, wait: timeout) {
        AppendMessage.content(of: $0, sequence, in: epoch)
      }
    }
  }
}

extension Session {
  /// The error of a log that ends before a revision that it has had.
  ///
  /// A server that has just become the leader may say so for a moment.
  private func logIsOlder(than revision: Int) -> RevisionLogError {
    let reason =
      "the stream \(names.log) ends before revision \(revision), which it has had: somebody has put back an "
      + "older one, or a server has lost its end"
    let now = DispatchTime.now()
    let first = olderSince.withLock { since in
      // It was whole again in between if nobody has asked for so long.
      if since.map({ $0.last + 10 < now }) ?? true { since = (now, now) }
      since?.last = now
      return since?.first ?? now
    }
    return first + 3 < now ? .rejected(reason: reason) : .unavailable(reason: reason)
  }
}
#endif
