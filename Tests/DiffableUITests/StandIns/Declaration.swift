import UIKit

/// A public declaration of a module that stands in for one of Apple's, as its source has it.
///
/// It is found by line and indentation, which the linter of this package keeps.
struct Declaration: CustomStringConvertible {
  let file: String
  /// From 1.
  let line: Int
  /// `func`, `var`, `init` and so on.
  let keyword: String
  /// The name as Apple writes it at the end of an address: with the labels, in lower case.
  let name: String
  /// The names of the types that it is in, from the outermost, in lower case.
  let types: [String]
  /// The modifiers and attributes.
  let modifiers: Set<String>
  /// What it is in, or `nil` for the file.
  let scope: Scope?
  /// The declaration up to its body, on one line.
  let text: String
  /// The addresses behind `developer.apple.com/documentation/` in the comment above.
  let pages: [String]

  enum Scope { case `protocol`, `extension`, type }

  var description: String { "\(file):\(line): \((types + [name]).joined(separator: "/"))" }
}

extension Declaration {
  /// The declarations of a source file that others see, in their order.
  static func all(in source: String, file: String) -> [Declaration] {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    var open: [(head: Head, types: [String], indentation: Int)] = []
    var declarations: [Declaration] = []
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let indentation = line.prefix { $0 == " " }.count
      let text = line.dropFirst(indentation)
      if text.hasPrefix("}") || text == "{}" {
        open.removeAll { $0.indentation >= indentation }
      }
      let outer = open.last
      guard let head = Head(text), head.keyword != "import",
        head.isPublic || indentation == (outer.map { $0.indentation + 2 } ?? 0)
      else { continue }
      let name = head.name(continuedBy: lines[(index + 1)...])
      let types = outer?.types ?? []
      if head.scope != nil, !text.hasSuffix("}") {
        open.append((head, types + name.split(separator: ".").map(String.init), indentation))
      }
      let isRequirement = outer?.head.scope == .protocol && outer?.head.isPublic == true
      guard head.isPublic || isRequirement else { continue }
      declarations.append(
        Declaration(
          file: file, line: index + 1, keyword: head.keyword, name: name, types: types,
          modifiers: head.modifiers.union(attributes(above: lines[..<index])),
          scope: outer?.head.scope, text: Self.text(of: lines[index...]),
          pages: pages(above: lines[..<index]))
      )
    }
    return declarations
  }

  /// The attributes on lines of their own.
  private static func attributes(above lines: ArraySlice<Substring>) -> [String] {
    lines.reversed().prefix { $0.drop { $0 == " " }.hasPrefix("@") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func text(of lines: ArraySlice<Substring>) -> String {
    var text = ""
    for line in lines {
      let part = line.trimmingCharacters(in: .whitespaces)
      let isOpen = text.count { "([".contains($0) } > text.count { ")]".contains($0) }
      let isContinued =
        text.isEmpty || isOpen || text.hasSuffix(":") || text.hasSuffix(",")
        || part.hasPrefix("->") || part.hasPrefix("where ")
      guard isContinued else { break }
      text += (text.isEmpty ? "" : " ") + (part.split(separator: " {").first.map(String.init) ?? "")
      if part.contains(" {") { break }
    }
    return text
  }

  private static func pages(above lines: ArraySlice<Substring>) -> [String] {
    let marker = "/// developer.apple.com/documentation/"
    var pages: [String] = []
    for line in lines.reversed() {
      let text = line.drop { $0 == " " }
      guard text.hasPrefix("///") || text.hasPrefix("@") && !text.contains(" ") else { break }
      if text.hasPrefix(marker) { pages.append(String(text.dropFirst(marker.count))) }
    }
    return pages
  }
}

/// The beginning of a declaration: modifiers, keyword and what follows.
private struct Head {
  private(set) var modifiers: Set<String> = []
  let keyword: String
  private let rest: Substring

  init?(_ line: Substring) {
    var rest = line
    while true {
      let word = rest.prefix { !" (<:?".contains($0) }
      let after = rest.dropFirst(word.count)
      switch word {
      case "class" where Self.isMember(after.dropFirst()): modifiers.insert(String(word))
      case "class", "struct", "enum", "protocol", "extension", "func", "var", "let", "typealias",
        "subscript", "import", "actor", "associatedtype":
        keyword = String(word)
        self.rest = after.drop { $0 == " " }
        return
      case "init":
        keyword = "init"
        self.rest = rest
        return
      case let word where word.hasPrefix("@") || Self.modifierWords.contains(word):
        modifiers.insert(String(word))
        rest = rest.drop { $0 != " " }.drop { $0 == " " }
        continue
      default: return nil
      }
      rest = after.drop { $0 == " " }
    }
  }

  private static let modifierWords: Set<Substring> = [
    "public", "open", "package", "private", "fileprivate", "internal", "override", "required",
    "convenience", "static", "final", "weak", "unowned", "lazy", "mutating", "nonisolated",
    "indirect",
  ]

  private static func isMember(_ rest: Substring) -> Bool {
    ["func ", "var ", "let ", "subscript"].contains { rest.hasPrefix($0) }
  }

  var isPublic: Bool { modifiers.contains("public") || modifiers.contains("open") }

  var scope: Declaration.Scope? {
    switch keyword {
    case "protocol": .protocol
    case "extension": .extension
    case "class", "struct", "enum", "actor": .type
    default: nil
    }
  }

  /// The name with the labels of its parameters, which may stand on later lines.
  func name(continuedBy lines: ArraySlice<Substring>) -> String {
    let base = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }.lowercased()
    guard ["func", "init", "subscript"].contains(keyword) else { return base }
    return "\(keyword == "subscript" ? keyword : base)(\(labels(continuedBy: lines)))"
  }

  private func labels(continuedBy lines: ArraySlice<Substring>) -> String {
    let text = ([rest] + lines).joined(separator: "\n").replacing("->", with: "")
    var labels: [String] = []
    var parameter = ""
    var depth = 1
    for character in text.drop(while: { $0 != "(" }).dropFirst() {
      if "([<".contains(character) { depth += 1 }
      if ")]>".contains(character) { depth -= 1 }
      guard depth == 0 || depth == 1 && character == "," else {
        parameter.append(character)
        continue
      }
      let label = parameter.drop { $0.isWhitespace }.prefix { !" :".contains($0) }
      if !label.isEmpty { labels.append("\(label.lowercased()):") }
      if depth == 0 { break }
      parameter = ""
    }
    return labels.joined()
  }
}
