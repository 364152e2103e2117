package import Diffable

/// Every ordered selection of some elements, each at most once: 326 for five elements.
package func everyOrderedSubset<Element>(of elements: [Element]) -> [[Element]] {
  var subsets: [[Element]] = [[]]
  for index in elements.indices {
    var rest = elements
    let first = rest.remove(at: index)
    subsets += everyOrderedSubset(of: rest).map { [first] + $0 }
  }
  return subsets
}

/// Every snapshot of some of the sections and some of the items.
package func everySnapshot(sections: Int, items: Int) -> [Snapshot<Int, Int>] {
  everyOrderedSubset(of: Array(0..<sections)).flatMap { sections in
    var layouts = [sections.map { _ in [Int]() }]
    for item in 0..<items {
      // Without the item, or with it at each possible place.
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
    return layouts.map { Snapshot(sections: sections, items: $0) }
  }
}

extension Snapshot {
  /// The snapshot with these sections, each with the items at the same index.
  package init(sections: [SectionID], items: [[ItemID]]) {
    self.init(PlainList(sections: zip(sections, items).map { .init(id: $0, items: $1) }))
  }
}
