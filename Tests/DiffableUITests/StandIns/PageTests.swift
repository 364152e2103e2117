import Testing
import UIKit

/// The modules that stand in for Apple's declare what Apple documents, and say where.
@Suite struct PageTests {
  /// The pages that are not below the page of the type that declares the member: a protocol that the
  /// type adopts has them, or the language.
  static let pagesOfProtocols: Set = [
    "appkit/nsanimatablepropertycontainer/animator()",
    "appkit/nsuserinterfaceitemidentification/identifier",
    "swift/autoreleasingunsafemutablepointer",
    "swift/rawrepresentable/rawvalue",
    // The page of a method with a completion is that of the one that waits, too.
    "appkit/nscollectionview/performbatchupdates(_:completionhandler:)",
    "uikit/uicollectionview/performbatchupdates(_:completion:)",
    "uikit/uitableview/performbatchupdates(_:completion:)",
    "uikit/uitraitenvironment/traitcollection",
  ]

  @Test(arguments: ["UIKit", "AppKit"])
  func `Each declaration names its page`(module: String) throws {
    let declarations = try Self.declarations(of: module)
    #expect(declarations.count > 100)
    #expect(Self.problems(of: declarations, in: module) == [])
  }

  @Test func `A declaration without its page is found`() {
    let source = """
      /// developer.apple.com/documentation/uikit/uiview
      @MainActor public class UIView: UIResponder {
        /// developer.apple.com/documentation/uikit/uiview/bounds
        open var bounds: CGRect
        /// developer.apple.com/documentation/uikit/uiview/convert(_:to:)-3x8qd
        ///
        /// Says more.
        @preconcurrency public func convert<Other>(
          _ rect: (CGRect, CGRect) -> Void, to other: Dictionary<Other, Int>?
        ) where Other: UIView {}
        public struct Options<Value>
        where Value: Sendable {
          /// developer.apple.com/documentation/uikit/uiview/options/none
          public static let none = Options()
          public init?(coder: NSCoder) {}
        }
        let hidden = 1
      }
      /// developer.apple.com/documentation/uikit/uidelegate
      public protocol UIDelegate {
        func viewDidMove(_ view: UIView)
        /// developer.apple.com/documentation/uikit/uidelegate/viewwillmove(_:)
        func viewDidMove(_ view: UIView, to place: CGRect)
      }
      extension UIDelegate {
        public func viewDidMove(_ view: UIView) {}
        public func viewDidTurn(_ view: UIView) {}
      }
      """
    let declarations = Declaration.all(in: source, file: "A")
    #expect(
      declarations.map(\.description) == [
        "A:2: uiview", "A:4: uiview/bounds", "A:8: uiview/convert(_:to:)", "A:11: uiview/options",
        "A:14: uiview/options/none", "A:15: uiview/options/init(coder:)", "A:20: uidelegate",
        "A:21: uidelegate/viewdidmove(_:)", "A:23: uidelegate/viewdidmove(_:to:)",
        "A:26: uidelegate/viewdidmove(_:)", "A:27: uidelegate/viewdidturn(_:)",
      ])
    #expect(
      Self.problems(of: declarations, in: "UIKit") == [
        "A:11: uiview/options", "A:15: uiview/options/init(coder:)",
        "A:21: uidelegate/viewdidmove(_:)", "A:23: uidelegate/viewdidmove(_:to:)",
        "A:27: uidelegate/viewdidturn(_:)",
      ])
  }

  /// The declarations that do not name their page, or name that of something else.
  ///
  /// Overrides need none, nor do the default implementations that make a requirement of a protocol
  /// optional, nor the initializers that a class has to repeat. Cases are on the page of their type.
  static func problems(of declarations: [Declaration], in module: String) -> [String] {
    let documented = Set(declarations.filter { !$0.pages.isEmpty }.map(\.name))
    let requirements = Set(
      declarations.filter { $0.scope == .protocol }.map { $0.types + [$0.name] })
    func needsPage(_ declaration: Declaration) -> Bool {
      if declaration.modifiers.contains("override") { return false }
      if declaration.scope == .extension {
        return !requirements.contains(declaration.types + [declaration.name])
      }
      return declaration.keyword != "init" || !declaration.modifiers.contains("required")
        || !documented.contains(declaration.name)
    }
    return declarations.filter { declaration in
      let pages = declaration.pages
      if pages.isEmpty { return needsPage(declaration) }
      return pages.count > 1 || !isPage(pages[0], of: declaration, in: module)
    }
    .map(\.description)
  }

  private static func isPage(
    _ page: String, of declaration: Declaration, in module: String
  ) -> Bool {
    // What stands behind a hyphen tells pages of the same name apart.
    let page = page.split(separator: "/").map { $0.prefix { $0 != "-" } }.joined(separator: "/")
    if pagesOfProtocols.contains(page) {
      return page.hasSuffix("/\(declaration.name)")
        || declaration.text.contains(" async ")
          && page.contains("/performbatchupdates(_:completion")
    }
    let path = (declaration.types + [declaration.name]).joined(separator: "/")
    return [module.lowercased(), "foundation", "corefoundation"].contains {
      "\($0)/\(path)" == page
    }
  }

  /// The declarations in the sources of a module.
  static func declarations(of module: String) throws -> [Declaration] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let directory = root.appendingPathComponent("StandIns/\(module)")
    return try FileManager.default.contentsOfDirectory(
      at: directory, includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path }
    .flatMap { file in
      let source = try String(contentsOf: file, encoding: .utf8)
      return Declaration.all(in: source, file: "\(module)/\(file.lastPathComponent)")
    }
  }
}
