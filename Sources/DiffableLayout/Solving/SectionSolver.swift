/// Solves sections one after another, each description once.
struct SectionSolver {
  let layout: CompositionalLayout
  let environment: LayoutEnvironment

  /// The plan of the common description, if all sections have the same one.
  private var commonPlan: SectionPlan?

  /// Sections with the common plan, by their number of items.
  private var solved: [Int: SolvedSection] = [:]

  init(layout: CompositionalLayout, environment: LayoutEnvironment) {
    self.layout = layout
    self.environment = environment
  }

  /// Solves one section.
  mutating func solve(section index: Int, itemCount: Int) throws(LayoutError) -> SolvedSection {
    let part = LayoutPart(.section(index))
    guard itemCount >= 0 else { throw LayoutError(.negative, at: part.property("itemCount")) }
    guard itemCount <= CompositionalLayout.maximumItemCount else {
      throw LayoutError(.tooLong, at: part.property("itemCount"))
    }
    if let known = solved[itemCount] { return known }
    do {
      let section = try SolvedSection(plan: try plan(index, itemCount, part), itemCount: itemCount)
      if commonPlan != nil { solved[itemCount] = section }
      return section
    } catch {
      throw error.part.steps.first == .section(index) ? error : error.inside(.section(index))
    }
  }

  private mutating func plan(
    _ index: Int, _ itemCount: Int, _ part: LayoutPart
  ) throws(LayoutError) -> SectionPlan {
    if let commonPlan { return commonPlan }
    let description: LayoutSection?
    switch layout.sections {
    case .every(let section): description = section
    case .list(let sections):
      description = sections.indices.contains(index) ? sections[index] : nil
    case .provided(let provider): description = provider.section(index, environment)
    }
    guard let description else {
      guard itemCount == 0 else {
        throw LayoutError(.missingSection(itemCount: itemCount), at: part)
      }
      return try SectionPlan(
        .nothing, configuration: layout.configuration, environment: environment)
    }
    try LayoutValidator.validate(description, part)
    let plan = try SectionPlan(
      description, configuration: layout.configuration, environment: environment)
    if case .every = layout.sections { commonPlan = plan }
    return plan
  }
}

extension LayoutSection {
  /// The description of a section without items and without description.
  fileprivate static var nothing: LayoutSection { LayoutSection(content: .groups([])) }
}
