import ListSupport

@testable import Diffable

/// From scratch.
extension QueryScript {
  /// - Parameters:
  ///   - flags: Which rows of trees were expanded and collapsed.
  ///   - findings: The same, since the search began.
  ///   - now: The time at which rows are left out that have expired.
  func evaluate(
    _ list: Plain, flags: [Int: Bool] = [:], findings: [Int: Bool] = [:],
    now: ManualClock.Instant = .init()
  ) -> Plain {
    var list = list
    if operations.first?.seesTrees != true { list = list.flat }
    var order: [(Note, Note) -> Bool] = []
    var omitsEmptySections = false
    func before(_ left: Note, _ right: Note) -> Bool {
      for before in order {
        if before(left, right) { return true }
        if before(right, left) { return false }
      }
      return false
    }
    for operation in operations {
      if !operation.seesTrees { list = list.flat }
      switch operation {
      case .filter(let mostly):
        for index in list.sections.indices {
          list.sections[index].notes.removeAll { !Self.keeps($0, mostly) }
        }
      case .sort(let field, let ascending), .sortByValue(let field, reverse: let ascending):
        var ascending = ascending
        if case .sortByValue = operation { ascending.toggle() }
        order.insert(
          { [ascending] in
            let (left, right) = (Self.value($0, field), Self.value($1, field))
            return ascending ? left < right : left > right
          }, at: 0)
        for index in list.sections.indices { list.sections[index].notes.sort(by: before) }
      case .group(let field, let ascending), .groupByValue(let field, reverse: let ascending):
        var ascending = ascending
        if case .groupByValue = operation { ascending.toggle() }
        var notes = list.sections.flatMap(\.notes)
        notes.sort(by: before)
        let folders = Set(notes.map { Self.value($0, field) })
        list.sections = folders.sorted { ascending ? $0 < $1 : $0 > $1 }.map { folder in
          Plain.Section(
            folder: Folder(folder), header: nil,
            notes: notes.filter { Self.value($0, field) == folder })
        }
        omitsEmptySections = true
      case .groupAlways(let field):
        let notes = list.sections.flatMap(\.notes).sorted(by: before)
        list.sections = Self.fixedFolders.map { folder in
          Plain.Section(
            folder: folder, header: nil,
            notes: notes.filter { Self.value($0, field) == folder.number })
        }
        omitsEmptySections = false
      case .window, .suffix:
        let all = list.sections.reduce(0) { $0 + $1.notes.count }
        let range =
          switch operation {
          case .window(let range): range
          case .suffix(let count): max(0, all - count)..<all
          default: 0..<0
          }
        var start = 0
        for index in list.sections.indices {
          let count = list.sections[index].notes.count
          let kept = list.sections[index].notes.enumerated().filter {
            range.contains(start + $0.offset)
          }
          list.sections[index].notes = kept.map(\.element)
          start += count
        }
        omitsEmptySections = true
      case .distinct(let field):
        var known: Set<Int> = []
        for index in list.sections.indices {
          list.sections[index].notes.removeAll { !known.insert(Self.value($0, field)).inserted }
        }
      case .rank(let field, let limit):
        for index in list.sections.indices {
          let scored = list.sections[index].notes.compactMap { note in
            Self.score(note, field).flatMap { $0.isNaN ? nil : (note, $0) }
          }
          // The sort is stable.
          let sorted = scored.sorted { $0.1 > $1.1 }.map(\.0)
          list.sections[index].notes = Array(sorted.prefix(limit ?? .max))
        }
        order = []
      case .omitEmptySections:
        omitsEmptySections = true
      case .keepEmptySections:
        omitsEmptySections = false
      case .map(let number):
        // Whatever is shown instead, the rows are in the order in which they were.
        let ranks = list.sections.flatMap(\.notes).sorted(by: before).enumerated()
        let places = Dictionary(uniqueKeysWithValues: ranks.map { ($1.id, $0) })
        if !order.isEmpty { order = [{ places[$0.id, default: 0] < places[$1.id, default: 0] }] }
        for index in list.sections.indices {
          for row in list.sections[index].notes.indices {
            let text = list.sections[index].notes[row].text
            list.sections[index].notes[row].text = (text + number) % 3
          }
        }
      case .count:
        for index in list.sections.indices {
          let section = list.sections[index]
          list.sections[index].header = "\(section.folder): \(section.notes.count)"
        }
      case .sum:
        for index in list.sections.indices {
          let section = list.sections[index]
          let sum = section.notes.reduce(0) { $0 + $1.text }
          list.sections[index].header = "\(section.folder): \(section.notes.count) of \(sum)"
        }
      case .sortSections(let measure, let reverse):
        func value(_ section: Plain.Section) -> Int {
          let value = measure.value(of: section.notes)
          // Without a value, it is after all others.
          return measure == .least && value == 0 ? .max : reverse ? -value : value
        }
        list.sections = list.sections.enumerated()
          .sorted { (value($0.element), $0.offset) < (value($1.element), $1.offset) }
          .map(\.element)
      case .filterSections(let measure, let mostly):
        list.sections.removeAll { !Self.keeps(measure.value(of: $0.notes), mostly) }
      case .shorten(let count, let says):
        for index in list.sections.indices {
          let section = list.sections[index]
          list.sections[index].notes = Array(section.notes.prefix(count))
          guard says else { continue }
          list.sections[index].header = Self.header(
            section.folder, section.header, more: max(0, section.notes.count - count))
        }
      case .expire:
        for index in list.sections.indices {
          list.sections[index].notes.removeAll { Self.deadline($0).map { $0 <= now } ?? false }
        }
      case .totals:
        list.sections = list.sections.map { $0.totalled }
        order = []
      case .search(let mostly, let keepsUnloaded):
        list.sections = list.sections.map { section in
          mostly.map { mostly in
            section.searched(keepsUnloaded, findings) { !Self.keeps($0, mostly) }
          } ?? section.searched(keepsUnloaded, flags, nil)
        }
        order = []
      case .outline(let relation, let isExpanded, let loads):
        list.sections = list.sections.map { $0.outlined(relation, flags, isExpanded, loads) }
        order = []
      }
      if omitsEmptySections { list.sections.removeAll { $0.notes.isEmpty } }
    }
    return list
  }
}

extension QueryScript.Operation {
  /// Whether it reads trees, and not only their visible rows.
  fileprivate var seesTrees: Bool {
    switch self {
    case .search, .totals: true
    default: false
    }
  }
}
