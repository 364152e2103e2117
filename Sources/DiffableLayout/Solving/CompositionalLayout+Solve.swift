extension CompositionalLayout {
  /// The maximum number of items of a section.
  package static let maximumItemCount = Int(min((1 as Int64) << 40, Int64(Int.max / 4)))

  /// Computes the frames of all elements.
  ///
  /// Nothing is measured yet: estimated dimensions have their estimates.
  ///
  /// - Parameters:
  ///   - itemCounts: The number of items in each section.
  ///   - environment: The size of the view, its screen and traits.
  /// - Throws: ``LayoutError``, which names the part of the description that cannot be laid out.
  /// - Complexity: O(sections + slots of the groups of each description).
  public func solve(
    itemCounts: [Int], in environment: LayoutEnvironment
  ) throws(LayoutError) -> SolvedLayout {
    try LayoutValidator.validate(environment)
    try LayoutValidator.validate(configuration)
    var solver = SectionSolver(layout: self, environment: environment)
    var sections: [SolvedSection] = []
    sections.reserveCapacity(itemCounts.count)
    for (index, count) in itemCounts.enumerated() {
      sections.append(try solver.solve(section: index, itemCount: count))
    }
    return try SolvedLayout(layout: self, environment: environment, sections: sections)
  }
}
