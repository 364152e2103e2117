import Diffable
package import DiffableTesting

/// What a real view would raise as an `NSException`, or break by.
///
/// There are no exceptions on Linux. A view that stands in hands this to its handler, and traps where
/// it has none.
package struct StandInException: Error, Hashable, Sendable, CustomStringConvertible {
  package var name = "NSInternalInconsistencyException"
  /// The rule that was broken, where the exception is about an update.
  package var rule: ListRule?
  package var reason: String

  package init(_ reason: String) { self.reason = reason }

  package var description: String { "\(name): \(reason)" }
}

extension StandInException {
  /// The exception for a rule that an update broke, in the words of UIKit where it has some.
  init(
    _ violation: ListViolation, of operations: [ListOperation], from old: [Int], to new: [Int]
  ) {
    self.init("\(violation)")
    rule = violation.rule
    switch (violation.rule, violation.position) {
    case (.c4, _):
      let deleted = Set(operations.filter { if case .deleteSection = $0 { true } else { false } })
      let inserted = Set(operations.filter { if case .insertSection = $0 { true } else { false } })
      reason = """
        Invalid update: invalid number of sections. The number of sections contained in the view \
        after the update (\(new.count)) must be equal to the number of sections contained in the \
        view before the update (\(old.count)), plus or minus the number of sections inserted or \
        deleted (\(inserted.count) inserted, \(deleted.count) deleted).
        """
    case (.c6, .section(let section)?):
      reason = "Invalid update: invalid number of items in section \(section). \(violation)"
    case (.c1, _): reason = "Invalid update: \(violation)"
    default: break
    }
  }
}
