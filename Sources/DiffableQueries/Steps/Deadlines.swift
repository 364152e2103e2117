import Diffable

/// The expiry of rows in a step.
///
/// Times are relative to a moment that the rule chose. A deadline that is a hundred years later
/// counts as none, and one that is more than a hundred years earlier as one of that time. So no
/// clock overflows.
struct ExpiryRule: Sendable {
  let deadline: @Sendable (UnsafeRawPointer) -> Duration?
  /// Keeps rows that have not expired at a time.
  let test: @Sendable (Duration) -> RowTest
  let now: @Sendable () -> Duration
  let wait: @Sendable (Duration) async throws -> Void
}

extension ExpiryRule {
  init<Element, C: Clock>(
    _ clock: C, _ deadline: @escaping @Sendable (Element) -> C.Instant?
  ) where C.Duration == Duration {
    let start = clock.now
    let (first, last) = (start.advanced(by: .zero - .longest), start.advanced(by: .longest))
    let time: @Sendable (Element) -> Duration? = { element in
      guard let deadline = deadline(element), deadline < last else { return nil }
      return start.duration(to: Swift.max(first, deadline))
    }
    self.init {
      lend($0, to: time)
    } test: { now in
      RowTest { (element: Element) in time(element).map { $0 > now } ?? true }
    } now: {
      start.duration(to: clock.now)
    } wait: {
      try await clock.sleep(until: start.advanced(by: $0), tolerance: nil)
      // If the clock rounds its instants, this one may be a little too early.
      let step = Swift.max(.microseconds(1), clock.minimumResolution)
      while start.duration(to: clock.now) < $0 {
        try await clock.sleep(until: clock.now.advanced(by: step), tolerance: nil)
      }
    }
  }
}

/// The next moment at which a row expires.
struct Alarm: Sendable {
  let time: Duration
  let rule: ExpiryRule

  var isDue: Bool { time <= rule.now() }
  func wait() async throws { try await rule.wait(time) }
}

/// The deadlines of the rows of a step, the next one first.
///
/// If a row is deleted or changes, the old entry stays in the heap until its time, or until there are more
/// such entries than others.
struct Deadlines<ItemID: Hashable & Sendable> {
  private var heap: [(time: Duration, item: ItemID)] = []
  /// Above this number, outdated entries are dropped.
  private var limit = 64

  var next: Duration? { heap.first?.time }

  /// - Complexity: O(log n) for n deadlines.
  mutating func insert(_ item: ItemID, at time: Duration) {
    heap.append((time, item))
    heap.raiseLast { $0.time < $1.time }
  }

  /// Removes and returns the items that are due.
  ///
  /// - Complexity: O(d · log n) for d of n deadlines.
  mutating func removeDue(at now: Duration) -> [ItemID] {
    var due: [ItemID] = []
    while let first = heap.first, first.time <= now {
      due.append(first.item)
      heap.swapAt(0, heap.count - 1)
      heap.removeLast()
      heap.sinkFirst { $0.time < $1.time }
    }
    return due
  }

  /// Drops outdated entries if there are many, and those that say the same as another one.
  mutating func compact(_ counts: (ItemID, Duration) -> Bool) {
    guard heap.count > limit else { return }
    // A row that changes has another entry, also if its deadline stays.
    var known = IdentifierSet<ItemID>()
    let kept = heap.filter { counts($0.item, $0.time) && known.insert($0.item) }
    heap = []
    for (time, item) in kept { insert(item, at: time) }
    limit = Swift.max(64, 2 * heap.count)
  }
}

/// Rows that expire.
extension QueryStep {
  /// Reads the time, which stays the same until the change is made.
  ///
  /// - Returns: The rows that have expired since the last call and may be shown.
  func tick() -> [ItemID] {
    guard let expiry = rules.expiry else { return [] }
    let now = expiry.now()
    test = expiry.test(now)
    return deadlines.removeDue(at: now)
  }

  /// Records the deadlines of rows that are inserted or show something else.
  func noteDeadlines(_ plan: StepPlan<Out, ItemID>, _ input: Input) {
    guard rules.expiry != nil else { return }
    noteDeadlines(plan.updates + plan.insertions.flatMap { $0.rows.map { $0.row } }, input)
  }

  /// Records the deadlines of rows that may be shown.
  func noteDeadlines(_ rows: [RowPlace], _ input: Input) {
    guard let expiry = rules.expiry else { return }
    for row in rows {
      if let time = expiry.deadline(row.element) { deadlines.insert(row.item(), at: time) }
    }
    deadlines.compact { item, time in
      guard let path = input.itemPath(for: item) else { return false }
      return input.withRow(at: path) { expiry.deadline($0.element) == time }
    }
  }

  var alarms: [Alarm] {
    guard let rule = rules.expiry, let time = deadlines.next else { return [] }
    return [Alarm(time: time, rule: rule)]
  }
}

extension StepChange {
  /// Plans the removal of rows that have expired.
  func planExpiry(_ plan: inout StepPlan<Out, ItemID>) {
    for item in due {
      guard let place = output.itemPath(for: item), let path = new.itemPath(for: item),
        !keeps(new.row(at: path))
      else { continue }
      plan.removals[place.section, default: []].append(place.item)
    }
  }
}
