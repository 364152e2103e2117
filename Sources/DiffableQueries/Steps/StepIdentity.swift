import Diffable

/// The operations of a step, in their order, with their names.
///
/// Every step is made with them, so that it can be explained, and continued by a query with the same.
struct StepIdentity: Sendable {
  private(set) var operations: [Operation] = []

  /// The kind of an operation; operations of different kinds are never the same.
  enum Kind: Hashable, Sendable {
    case filter
    case omittingEmptySections
    case keepingEmptySections
    case distinct
    case sort
    case group
    /// Rows of other groups than those that are always there are left out.
    case groupMembers
    case ungroup
    case window(RowWindow)
    case sectionModels
    case sectionOrder
    case sectionFilter
    /// The number of rows that are kept, and whether a model says how many are left out.
    case sectionPrefix(Int, isSaid: Bool)
    case expiry
    case outline(isExpanded: Bool, isLoaded: Bool)
    case search
    case textSearch(SearchPattern, limit: Int?)
    case rank(limit: Int?)
    /// With the type of the models that it makes.
    case map(ObjectIdentifier)
    case totals(ObjectIdentifier)
    case total
  }

  struct Operation: Hashable, Sendable {
    let kind: Kind
    /// `nil` if it equals no other.
    let name: AnyItemID?
  }

  /// One operation, which may have a name.
  static func named(_ kind: Kind, _ name: (any Hashable & Sendable)?) -> StepIdentity {
    StepIdentity(operations: [Operation(kind: kind, name: name.map { AnyItemID($0) })])
  }

  static func + (first: StepIdentity, second: StepIdentity) -> StepIdentity {
    StepIdentity(operations: first.operations + second.operations)
  }

  static func += (first: inout StepIdentity, second: StepIdentity) { first = first + second }

  /// Whether a step with these operations does the same as one with others.
  func doesSame(as other: StepIdentity) -> Bool {
    !operations.isEmpty && operations == other.operations
      && operations.allSatisfy { $0.name != nil }
  }

  /// Whether both have the same operations, which might do the same if all had names.
  func mightDoSame(as other: StepIdentity) -> Bool {
    operations.map(\.kind) == other.operations.map(\.kind)
      && zip(operations, other.operations).allSatisfy { $0.name == $1.name || $0.name == nil }
      && operations.contains { $0.name == nil && $0.kind.takesName }
  }
}

/// How operations are shown to users.
extension StepIdentity {
  var shown: [QueryExplanation.Operation] {
    operations.compactMap { operation in
      operation.kind.shown.map { name in
        QueryExplanation.Operation(
          name: name, id: operation.kind.takesName ? operation.name?.shownName : nil)
      }
    }
  }
}

extension StepIdentity.Kind {
  /// The operation as users write it; `nil` for a part of the next one.
  var shown: String? { form.text }

  /// Whether users may give it an `id`.
  var takesName: Bool { form.takesName }

  private var form: (text: String?, takesName: Bool) {
    switch self {
    case .filter: ("filter", true)
    case .omittingEmptySections: ("omittingEmptySections", false)
    case .keepingEmptySections: ("keepingEmptySections", false)
    case .distinct: ("distinct(by:)", true)
    case .sort: ("sorted(by:)", true)
    case .group: ("grouped(by:)", true)
    case .groupMembers: (nil, true)
    case .ungroup: ("ungrouped", false)
    case .window(.positions(let positions)) where positions.lowerBound == 0:
      ("prefix(\(positions.upperBound))", false)
    case .window(.positions(let positions)): ("window(\(positions))", false)
    case .window(.last(let count)): ("suffix(\(count))", false)
    case .sectionModels: ("sectionModels", true)
    case .sectionOrder: ("sectionsSorted(by:)", true)
    case .sectionFilter: ("filterSections", true)
    case .sectionPrefix(let count, let isSaid): ("prefix(ofEachSection: \(count))", isSaid)
    case .expiry: ("expiring(at:)", true)
    case .outline: ("outlined(by:)", true)
    case .search: ("searched", false)
    case .textSearch: ("searched(for:in:)", true)
    case .rank: ("ranked(by:)", true)
    case .map: ("map", true)
    case .totals: ("aggregatingDescendants", true)
    case .total: ("total", false)
    }
  }
}

extension AnyItemID {
  /// The text of a name: strings in quotes, on one line.
  var shownName: String {
    (base as? String).map { String(reflecting: $0) } ?? String(describing: base)
  }
}
