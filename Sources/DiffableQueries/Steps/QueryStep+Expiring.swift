import Diffable

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
