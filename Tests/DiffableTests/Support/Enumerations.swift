import Diffable

/// Every list of some of the elements, each at most once: 326 for five elements.
func everyOrderedSubset<Element>(of elements: [Element]) -> [[Element]] {
  var subsets: [[Element]] = [[]]
  for index in elements.indices {
    var rest = elements
    let first = rest.remove(at: index)
    subsets += everyOrderedSubset(of: rest).map { [first] + $0 }
  }
  return subsets
}

/// Every snapshot of some of the sections and some of the items.
func everySnapshot(sections: Int, items: Int) -> [Snapshot<Int, Int>] {
  everyOrderedSubset(of: Array(0..<sections)).flatMap { sections in
    var layouts = [sections.map { _ in [Int]() }]
    for item in 0..<items {
      // Without the item, or with it at each place that there is.
      layouts += layouts.flatMap { layout in
        layout.indices.flatMap { section in
          (0...layout[section].count).map { place in
            var layout = layout
            layout[section].insert(item, at: place)
            return layout
          }
        }
      }
    }
    return layouts.map { snapshot(sections, $0) }
  }
}

/// The snapshot with these sections, each with the items at the same index.
func snapshot<SectionID, ItemID>(
  _ sections: [SectionID], _ items: [[ItemID]]
) -> Snapshot<SectionID, ItemID> {
  var snapshot = Snapshot<SectionID, ItemID>()
  for (section, items) in zip(sections, items) {
    snapshot.appendSections([section])
    do {
      try snapshot.appendItems(items)
    } catch {
      preconditionFailure("a section was just appended: \(error)")
    }
  }
  return snapshot
}
