import Foundation
import Testing

/// What the headers of Apple's SDK say of a declaration, see the file of facts.
private struct AppleFacts: Decodable {
  struct Kind: Decodable {
    let kind: String
    let superclasses: [String]
    let isMainThreadOnly: Bool
  }

  struct Member: Decodable {
    let selector: String
    let optional: Bool?
    let returnsNullable: Bool?
    let nullableParameters: [Int]?
  }

  let types: [String: Kind]
  let members: [String: Member]
  /// The pages of what is Swift's own: nested types, options, and methods over Apple's.
  let withoutSelector: Set<String>

  static func read() throws -> AppleFacts {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = folder.appendingPathComponent("Fixtures/apple-api.json")
    return try JSONDecoder().decode(AppleFacts.self, from: Data(contentsOf: file))
  }
}

/// The declarations that stand in for Apple's are optional, nullable and bound to the main actor as Apple's
/// headers say.
@Suite struct AppleFactTests {
  @Test(arguments: ["UIKit", "AppKit"])
  func `Each declaration is as the headers say`(module: String) throws {
    let facts = try AppleFacts.read()
    let declarations = try PageTests.declarations(of: module)
    #expect(Self.problems(of: declarations, facts) == [])
    // Each fact is that of a declaration.
    let pages = Set(declarations.flatMap(\.pages))
    let stale = facts.members.keys.filter {
      $0.hasPrefix(module.lowercased()) && !pages.contains($0)
    }
    #expect(stale.isEmpty)
    #expect(declarations.count { facts.members[$0.pages.first ?? ""] != nil } > 80)
  }

  @Test func `A declaration that is not as the headers say is found`() throws {
    let source = """
      /// developer.apple.com/documentation/uikit/uitableviewdelegate
      public protocol UITableViewDelegate: UIScrollViewDelegate {
        /// developer.apple.com/documentation/uikit/uitableviewdelegate/tableview(_:viewforheaderinsection:)
        func tableView(_ tableView: UITableView, viewForHeaderInSection section: Int) -> UIView
        /// developer.apple.com/documentation/uikit/uitableviewdelegate/tableview(_:didselectrowat:)
        func tableView(
          _ tableView: UITableView?, didSelectRowAt indexPath: IndexPath
        )
      }
      extension UITableViewDelegate {
        public func tableView(_ tableView: UITableView, didSelectRowAt indexPath: IndexPath) {}
      }
      /// developer.apple.com/documentation/uikit/uitableview
      @MainActor
      open class UITableView:
        UIScrollView
      {
        /// developer.apple.com/documentation/uikit/uitableview/indexpathsforvisiblerows
        open var indexPathsForVisibleRows: [IndexPath]? { nil }
        /// developer.apple.com/documentation/uikit/uitableview/datasource
        open weak var dataSource: any UITableViewDataSource
        /// developer.apple.com/documentation/uikit/uitableview/performbatchupdates(_:completion:)
        public func performBatchUpdates(
          _ updates: () -> Void, completion: ((Bool) -> Void)? = nil
        ) {}
        /// developer.apple.com/documentation/uikit/uitableview/unknown
        open var unknown = 1
      }
      /// developer.apple.com/documentation/uikit/uitraitcollection
      @MainActor open class UITraitCollection: NSObject {}
      """
    let problems = Self.problems(of: Declaration.all(in: source, file: "A"), try AppleFacts.read())
    #expect(
      problems == [
        "A:2: uitableviewdelegate: not bound to the main actor",
        "A:4: uitableviewdelegate/tableview(_:viewforheaderinsection:): not optional, not nullable",
        "A:6: uitableviewdelegate/tableview(_:didselectrowat:): parameters [0] nullable, not []",
        "A:21: uitableview/datasource: not nullable",
        "A:23: uitableview/performbatchupdates(_:completion:): parameters [1] nullable, not [0, 1]",
        "A:27: uitableview/unknown: no fact",
        "A:30: uitraitcollection: bound to the main actor",
      ])
  }

  private static func problems(of declarations: [Declaration], _ facts: AppleFacts) -> [String] {
    let defaults = Set(
      declarations.filter { $0.scope == .extension }.map { $0.types + [$0.name] })
    let types = Dictionary(
      declarations.filter { $0.types.isEmpty }.map { ($0.name, $0) },
      uniquingKeysWith: { first, _ in first })
    return declarations.compactMap { declaration in
      guard let page = declaration.pages.first else { return nil }
      var found: [String] = []
      if let type = facts.types[declaration.name], declaration.types.isEmpty {
        let isBound = declaration.modifiers.contains("@MainActor")
        let isMainThreadOnly =
          type.isMainThreadOnly
          || type.superclasses.contains { facts.types[$0]?.isMainThreadOnly == true }
        // What an unknown superclass is bound to is not known.
        let isKnown =
          isMainThreadOnly
          || type.superclasses.allSatisfy { facts.types[$0] != nil || $0 == "nsobject" }
        if isMainThreadOnly, !isBound { found.append("not bound to the main actor") }
        if !isMainThreadOnly, isBound, isKnown { found.append("bound to the main actor") }
      }
      if let first = declaration.types.first, facts.types[first] != nil, types[first] != nil {
        found += problems(
          of: declaration, facts.members[page], defaults,
          isNeeded: declaration.types.count == 1 && !facts.withoutSelector.contains(page)
            && !page.hasPrefix("swift/") && page.contains("/\(first)"))
      }
      return found.isEmpty ? nil : "\(declaration): \(found.joined(separator: ", "))"
    }
  }

  private static func problems(
    of declaration: Declaration, _ fact: AppleFacts.Member?, _ defaults: Set<[String]>,
    isNeeded: Bool
  ) -> [String] {
    guard let fact else { return isNeeded ? ["no fact"] : [] }
    var found: [String] = []
    func compare(_ isSo: Bool, _ fact: Bool?, _ word: String) {
      if isSo != (fact ?? false) { found.append(isSo ? word : "not \(word)") }
    }
    if declaration.scope == .protocol {
      compare(defaults.contains(declaration.types + [declaration.name]), fact.optional, "optional")
    }
    let isAsync = declaration.text.contains(" async ")
    if !isAsync { compare(declaration.isNullable, fact.returnsNullable, "nullable") }
    // One that waits has no completion.
    let nullable = (fact.nullableParameters ?? []).filter { !isAsync || $0 == 0 }
    if declaration.nullableParameters != nullable {
      found.append("parameters \(declaration.nullableParameters) nullable, not \(nullable)")
    }
    return found
  }
}
