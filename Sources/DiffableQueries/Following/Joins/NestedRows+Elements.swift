import Diffable

/// Following the elements.
extension NestedRows {
  /// What is shown for elements.
  struct Rule {
    /// The rows of an element.
    let rows: (RowPlace) -> [Row]
    /// The rows that show an element, if which rows it has does not depend on what it is.
    var shown: ((RowPlace) -> [Row])?
  }

  /// Everything from scratch.
  ///
  /// - Complexity: O(n) for n elements and rows.
  func sections<OuterID>(of outer: Snapshot<SectionID, OuterID>, _ rule: Rule) -> [Section] {
    defer { withExtendedLifetime(outer) {} }
    return outer.records.enumerated().map { index, record in
      var section = Section(id: record.id, content: record.model)
      for element in outer.places(ofSectionAt: index) {
        let rows = rule.rows(element)
        section.rows += rows
        section.lengths.append(rows.count)
      }
      return section
    }
  }

  /// The effect of a change of the elements.
  ///
  /// - Complexity: O(c · log n) for c changed elements and their rows.
  func plan<OuterID>(
    _ change: InputChange<SectionID, OuterID>, _ changed: ChangedRows, _ rule: Rule
  ) -> Plan {
    var plan = Plan()
    for path in changed.leaving {
      let section = change.old.section(at: path.section)
      plan.remove(rows(of: path.item, in: section), of: section)
      plan.change(section) { $0.removedElements.append(path.item) }
    }
    for path in changed.entering {
      let section = change.new.section(at: path.section)
      let rows = rule.rows(change.new.row(at: path))
      plan.change(section) { $0.insertedElements.append((path.item, rows.count)) }
      guard !rows.isEmpty else { continue }
      let gap = start(of: change.oldPosition(before: path), in: section)
      plan.insert(rows, ofElement: path.item, at: gap, of: section)
    }
    for path in changed.updated {
      let element = change.new.row(at: path)
      if let shown = rule.shown {
        plan.updates += shown(element)
      } else if let oldPath = change.map.oldPath(forNew: path) {
        let section = change.new.section(at: path.section)
        update(rule.rows(element), of: path.item, former: oldPath.item, in: section, &plan)
      }
    }
    plan.sectionDeletes = change.deletedSections
    plan.sectionPlacements = change.placedSections
    plan.sectionUpdates = change.changedHeaders
    return plan
  }

  /// Plans for an element that stays and may have other rows.
  private func update(
    _ rows: [Row], of element: Int, former: Int, in section: SectionID, _ plan: inout Plan
  ) {
    let items = items(of: former, in: section)
    guard items != rows.map(\.id) else { return plan.updates += rows }
    let range = self.rows(of: former, in: section)
    plan.remove(range, of: section)
    plan.insert(rows, ofElement: element, at: range.lowerBound, of: section)
    plan.change(section) { $0.changedElements.append((element, rows.count)) }
  }
}
