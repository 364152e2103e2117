/// Which drag has begun, and which one is about to begin, without any concurrency.
///
/// A drag begins in three steps: it is requested, it has the turn of the list, and the source has allowed
/// it. It may be over before that: the user lets go while the list shows a batch. So a request that was
/// called off is unknown, and whoever comes back with the turn or with the answer of the source ends.
///
/// `Request` is the number of a turn, `Reordering` the drag in the source.
struct DragState<Reordering> {
  /// The drag that is about to begin.
  private(set) var requested: UInt64?
  /// The drag that has begun.
  var reordering: Reordering?

  /// Requests a drag; `false` if another one has begun, or is about to begin.
  mutating func request(_ number: UInt64) -> Bool {
    guard requested == nil, reordering == nil else { return false }
    requested = number
    return true
  }

  /// Begins a requested drag; `false` if it was called off meanwhile.
  mutating func begin(_ reordering: Reordering, requested number: UInt64) -> Bool {
    guard requested == number else { return false }
    (requested, self.reordering) = (nil, reordering)
    return true
  }

  /// Forgets a request that does not lead to a drag.
  mutating func forget(_ number: UInt64) {
    if requested == number { requested = nil }
  }

  /// Calls off the drag that is about to begin, and returns its number; `nil` if there is none.
  mutating func callOff() -> UInt64? {
    defer { requested = nil }
    return requested
  }
}
