/// What is wrong with a layout, and in which part of it.
///
/// UIKit raises an exception in most of these cases, and draws nothing or never returns in others.
public struct LayoutError: Error, Hashable, Sendable {
  /// What is wrong.
  package enum Reason: Hashable, Sendable {
    /// A number is infinite or not a number.
    case notFinite
    /// A number is negative but must not be.
    case negative
    /// A group has no subitems, or a section has no groups.
    case empty
    /// A number of slots or lanes is less than 1.
    case countBelowOne(Int)
    /// A group has more slots than ``LayoutError/maximumSlotCount``.
    case tooManySlots
    /// Groups are nested deeper than ``LayoutError/maximumDepth``.
    case tooDeep
    /// Two views of one item, group, section or layout have the same kind and would share a path.
    case duplicateElementKind(String)
    /// A section has items and no description.
    case missingSection(itemCount: Int)
    /// The content is longer than numbers can represent.
    case tooLong
    /// There is no such element, or it is not measured.
    case notMeasurable
  }

  /// The maximum number of slots of a group, including those of its nested groups.
  ///
  /// It is also the maximum number of subitems in the description of a group, nested ones included, and
  /// of slots in nested groups that stay empty.
  public static let maximumSlotCount = 65_536

  /// The maximum nesting depth of groups.
  public static let maximumDepth = 64

  /// What is wrong.
  package let reason: Reason

  /// The part of the description that is wrong.
  package let part: LayoutPart

  /// The name of the fault, for programs and logs, such as `notFinite`.
  public var code: String { reason.code }

  /// Creates an error.
  package init(_ reason: Reason, at part: LayoutPart) {
    self.reason = reason
    self.part = part
  }
}

extension LayoutError: CustomStringConvertible {
  /// The error as a sentence that names the part.
  public var description: String { "\(part): \(reason)." }
}

extension LayoutError.Reason: CustomStringConvertible {
  /// What is wrong, in words.
  package var description: String {
    switch self {
    case .notFinite: "the number is infinite or not a number"
    case .negative: "the number is negative"
    case .empty: "there is nothing to lay out items in"
    case .countBelowOne(let count): "a count of \(count) is less than 1"
    case .tooManySlots: "the group has more than \(LayoutError.maximumSlotCount) slots"
    case .tooDeep: "groups are nested more than \(LayoutError.maximumDepth) deep"
    case .duplicateElementKind(let kind): "the element kind “\(kind)” is used twice"
    case .missingSection(let count): "\(count) items, but no description of their section"
    case .tooLong: "the content is too long: its positions are no longer numbers"
    case .notMeasurable: "there is no such element, or its size is not estimated"
    }
  }
}

extension LayoutError.Reason {
  var code: String {
    switch self {
    case .notFinite: "notFinite"
    case .negative: "negative"
    case .empty: "empty"
    case .countBelowOne: "countBelowOne"
    case .tooManySlots: "tooManySlots"
    case .tooDeep: "tooDeep"
    case .duplicateElementKind: "duplicateElementKind"
    case .missingSection: "missingSection"
    case .tooLong: "tooLong"
    case .notMeasurable: "notMeasurable"
    }
  }
}
