package import DiffableTesting
package import Diffable

/// What a stand-in view believes, where it asks, and the update that is under way.
@MainActor
package final class ListBelief {
  private let profile: ListProfile
  private let ask: () -> [Int]
  private let isInWindow: () -> Bool
  private let raise: (StandInException) -> Void

  /// What the view believes; `nil` until it has asked.
  package private(set) var shown: ShownList?
  private var former = ShownList()
  private var calls: [ListOperation]?
  private var isAsking = false

  /// - Parameters:
  ///   - profile: The rules of the view.
  ///   - ask: Asks the data source for the number of items in each section.
  package init(
    profile: ListProfile, isInWindow: @escaping () -> Bool,
    raise: @escaping (StandInException) -> Void, ask: @escaping () -> [Int]
  ) {
    (self.profile, self.ask, self.isInWindow, self.raise) = (profile, ask, isInWindow, raise)
  }

  /// Whether an update is under way.
  package var isUpdating: Bool { calls != nil }

  /// What the view believes; it asks where it has not yet.
  package var list: ShownList {
    if let shown { return shown }
    var list = former
    list.reset(to: answers())
    shown = list
    return list
  }

  /// The number of items in a section; a view that is strict raises where there is none.
  package func itemCount(inSection section: Int, _ habits: StandInHabits) -> Int {
    guard list.sections.indices.contains(section) else {
      if habits.contains(.raisesOutOfRange) { raise(.init("There is no section \(section).")) }
      return 0
    }
    return list.sections[section].items.count
  }

  /// The number of an item; a view that is strict raises where there is none.
  package func item(at path: ItemPath, _ habits: StandInHabits) -> Int? {
    let id = list.id(at: path)
    if id == nil, habits.contains(.raisesOutOfRange) {
      raise(.init("There is no item at \(path)."))
    }
    return id
  }

  /// Forgets everything, and answers what is selected then of what was.
  package func forget(selected: Set<Int>, _ habits: StandInHabits) -> Set<Int> {
    let paths = selected.compactMap { shown?.path(of: $0) }
    forget()
    guard habits.contains(.keepsSelectionOnReload), !paths.isEmpty else { return [] }
    return Set(paths.compactMap { list.id(at: $0) })
  }

  private func answers() -> [Int] {
    if isAsking { raise(.init("The data source asks the view that asks it.")) }
    isAsking = true
    defer { isAsking = false }
    return ask()
  }

  /// Forgets everything, as a view does that is told to reload its data.
  private func forget() {
    if isUpdating { raise(.init("The data are reloaded inside of an update.")) }
    former = shown ?? former
    shown = nil
  }

  /// Adds a call to the update that is under way; `false` if there is none.
  package func add(_ operations: [ListOperation]) -> Bool {
    calls?.append(contentsOf: operations)
    return calls != nil
  }

  /// Lets calls be made, and raises what is wrong with them.
  package func update(_ body: () -> Void) -> (calls: [ListOperation], outcome: ShownList.Outcome) {
    var list = list
    let before = answers()
    calls = []
    body()
    let made = calls ?? []
    calls = nil
    let outcome = list.perform(
      made, of: profile, before: before, after: answers(), isInWindow: isInWindow())
    shown = list
    for exception in outcome.exceptions { raise(exception) }
    return (made, outcome)
  }
}
