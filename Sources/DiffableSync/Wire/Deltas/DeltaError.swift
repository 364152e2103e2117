public import Diffable

/// Why a delta was rejected.
///
/// Nothing changes when one is thrown. A follower whose state does not fit requests the whole
/// state: it opens a connection without a token, and the first delta is a reset.
public enum DeltaError: Error, Hashable, Sendable {
  /// The text has more bytes than the limits allow.
  case tooLong(limit: Int)
  /// The arrays and objects of the text are nested deeper than the limits allow.
  case tooDeep(limit: Int)
  /// The delta, or the list after it, has more elements than the limits allow.
  case tooManyElements(count: Int, limit: Int)
  /// The text is not a delta.
  case undecodable(reason: String)
  /// The delta is written in a format that this version does not know.
  case unknownFormat(Int)
  /// The delta starts from another state than the current one, and leads to one that is new.
  case wrongBase(expected: ResumeToken?, found: ResumeToken?)
  /// The delta contradicts itself or the current state.
  case misfit(reason: String)
  /// Items that would appear twice in the list.
  case duplicateItems([AnyItemID])
  /// Sections that would appear twice in the list.
  case duplicateSections([AnyItemID])
  /// Inserted items without a model.
  case missingModels([AnyItemID])
  /// The mirror has finished.
  case finished
}

extension DeltaError {
  /// The name of the case, for logs.
  public var code: String {
    switch self {
    case .tooLong: "tooLong"
    case .tooDeep: "tooDeep"
    case .tooManyElements: "tooManyElements"
    case .undecodable: "undecodable"
    case .unknownFormat: "unknownFormat"
    case .wrongBase: "wrongBase"
    case .misfit: "misfit"
    case .duplicateItems: "duplicateItems"
    case .duplicateSections: "duplicateSections"
    case .missingModels: "missingModels"
    case .finished: "finished"
    }
  }

  /// Converts the error of a snapshot.
  init(_ error: SnapshotError) {
    switch error {
    case .duplicateItems: self = .duplicateItems(error.identifiers)
    case .duplicateSections: self = .duplicateSections(error.identifiers)
    case .missingModel: self = .missingModels(error.identifiers)
    case .unknownItem:
      self = .misfit(
        reason: "it has models for items that are not in the list: \(Self.list(error.identifiers))")
    case .unknownSection:
      self = .misfit(
        reason:
          "it has models for sections that are not in the list: \(Self.list(error.identifiers))")
    case .inapplicableDifference(let reason): self = .misfit(reason: reason)
    default: self = .misfit(reason: error.fault)
    }
  }

  /// Converts the error of a decoder.
  init(decoding error: any Error) {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.reduce("$") { place, key in
        place + (key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)")
      }
    }
    switch error {
    case let error as DeltaError: self = error
    case DecodingError.dataCorrupted(let context):
      if let error = context.underlyingError as? DeltaError {
        self = error
      } else if let error = context.underlyingError as? SnapshotError {
        self = DeltaError(error)
      } else {
        self = .undecodable(reason: "at \(place(context)): \(context.debugDescription)")
      }
    case DecodingError.keyNotFound(let key, let context):
      self = .undecodable(reason: "“\(key.stringValue)” is missing at \(place(context))")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      self = .undecodable(reason: "the value at \(place(context)) has the wrong type")
    default:
      self = .undecodable(reason: "\(error)")
    }
  }
}

extension DeltaError: CustomStringConvertible {
  /// A sentence that says what was wrong, and that nothing was changed.
  public var description: String { fault + " Nothing was changed." }

  /// A sentence that says what was wrong.
  var fault: String {
    let fault =
      switch self {
      case .tooLong(let limit): "The text is longer than \(limit) bytes"
      case .tooDeep(let limit): "The text is nested deeper than \(limit) levels"
      case .tooManyElements(let count, let limit):
        "There are \(count) elements, but at most \(limit) are allowed"
      case .undecodable(let reason): "The text is not a delta: \(reason)"
      case .unknownFormat(let format):
        "The delta has format \(format), but this version reads format 1 only"
      case .wrongBase(let expected, let found):
        "The delta starts from \(found.map { "“\($0)”" } ?? "no state"), but the mirror has "
          + "\(expected.map { "“\($0)”" } ?? "no state")"
      case .misfit(let reason): "The delta does not fit: \(reason)"
      case .duplicateItems(let items): "The list would have these items twice: \(Self.list(items))"
      case .duplicateSections(let sections):
        "The list would have these sections twice: \(Self.list(sections))"
      case .missingModels(let items): "There is no model for \(Self.list(items))"
      case .finished: "The mirror has finished and accepts no more deltas"
      }
    return fault.hasSuffix(".") ? fault : fault + "."
  }

  private static func list(_ identifiers: [AnyItemID]) -> String {
    let shown = identifiers.prefix(8).map { "“\($0)”" }.joined(separator: ", ")
    return identifiers.count > 8 ? "\(shown) and \(identifiers.count - 8) more" : shown
  }
}
