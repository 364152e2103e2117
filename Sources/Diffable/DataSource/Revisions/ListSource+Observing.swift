extension ListSource {
  /// The metrics of the source so far.
  ///
  /// - Complexity: O(k) for k subscribers.
  public nonisolated var metrics: DataSourceMetrics { reader.hub.metrics }

  /// A summary of the state of the source, for debugging.
  ///
  /// It shows the live revision, what undo and redo would revert, the sections with their first
  /// items, the subscribers and the metrics.
  ///
  /// - Complexity: O(k) for k subscribers; only the shown part of the list is read.
  public nonisolated var debugDescription: String { reader.description }

  /// The current number of subscribers and of waiting tasks.
  package nonisolated var population: Population {
    reader.hub.withMachine { $0.population }
  }
}

extension RevisionReader {
  /// A summary of the state of the source, for debugging.
  ///
  /// - Complexity: O(k) for k subscribers; only the shown part of the list is read.
  var description: String {
    guard let overview = hub.overview else { return "finished, and nothing is left" }
    let snapshot = Self.snapshot(of: overview.live.state)
    var lines = [
      "\(overview.live.revision)\(overview.isFinished ? ", finished" : ""), "
        + "history from \(overview.oldest)"
    ]
    for (word, direction, scope) in [
      ("undo", .undo, .everything), ("redo", .redo, .everything),
      ("undo named", .undo, .named), ("redo named", .redo, .named),
    ] as [(String, UndoDirection, UndoScope)] {
      guard let change = hub.withMachine({ $0.reversible(direction, scope)?.change }) else {
        continue
      }
      lines[0] += ", \(word): \(change.revision)" + (change.name.map { " “\($0)”" } ?? "")
    }
    func count(_ number: Int, _ thing: String) -> String {
      "\(number) \(thing)\(number == 1 ? "" : "s")"
    }
    lines.append(
      "\(count(snapshot.numberOfItems, "item")) in "
        + count(snapshot.numberOfSections, "section"))
    for index in 0..<min(snapshot.numberOfSections, 10) {
      guard let section = snapshot.sectionIdentifier(at: index) else { continue }
      let items = snapshot.items(inSectionAt: index)
      let more = items.count > 8 ? " … \(items.count - 8) more" : ""
      lines.append(
        "  \(section)[\(items.prefix(8).map { "\($0)" }.joined(separator: " "))\(more)]")
    }
    if snapshot.numberOfSections > 10 {
      lines.append("  … \(snapshot.numberOfSections - 10) more")
    }
    for subscriber in overview.subscribers.prefix(5) { lines.append("subscriber: \(subscriber)") }
    if overview.subscribers.count > 5 {
      lines.append("… \(overview.subscribers.count - 5) more subscribers")
    }
    lines.append("\(overview.metrics)")
    return lines.joined(separator: "\n")
  }
}
