import Foundation

/// The public declarations of a module as its sources have them.
///
/// Modules behind a trait need a C library, which not every system has. The compiler prints nothing of them
/// then, but their sources are always there, and formatted: so indentation says what belongs to what.
struct SourceInterface {
  let text: String

  init(of module: String) throws {
    let folder = Page.root.appendingPathComponent("Sources/\(module)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let sources = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    let lines = try sources.flatMap {
      try Self.declarations(in: String(contentsOf: $0, encoding: .utf8))
    }
    text = lines.sorted().map { $0 + "\n" }.joined()
  }

  /// The declarations, each after the types that it is in.
  static func declarations(in source: String) -> [String] {
    var found: [String] = []
    // The types and extensions around a line, with their indentation.
    var scopes: [(depth: Int, name: String, isPublic: Bool)] = []
    var lines = source.split(separator: "\n")[...]
    while let line = lines.popFirst() {
      let content = line.drop { $0 == " " }
      let depth = line.count - content.count
      guard !content.hasPrefix("//"), !content.hasPrefix("@"), !content.hasPrefix("#") else {
        continue
      }
      while let scope = scopes.last, scope.depth >= depth { scopes.removeLast() }
      let isInside = depth == (scopes.last?.depth ?? -2) + 2
      guard isInside else { continue }
      let words = content.split(separator: " ")
      let isCase = words.first == "case" && scopes.last?.isPublic == true
      let isExtension = words.first == "extension"
      let isPublic = words.first == "public" && words.dropFirst().first != "import"
      guard isPublic || isCase || isExtension || words.contains(where: Self.isTypeKeyword) else {
        continue
      }
      var declaration = String(content)
      while declaration.count(where: { $0 == "(" }) > declaration.count(where: { $0 == ")" }),
        let next = lines.popFirst()
      {
        declaration += " " + next.drop { $0 == " " }
      }
      let place = scopes.map { $0.name + " / " }.joined()
      let head = Self.head(of: declaration)
      if isPublic || isCase { found.append(place + head) }
      guard declaration.hasSuffix("{"), let name = Self.name(ofScope: words, head) else { continue }
      scopes.append((depth, name, isPublic))
      // A conformance of a public type is public as well.
      if isExtension, head.contains(":") { found.append(head) }
    }
    return found
  }

  private static func isTypeKeyword(_ word: Substring) -> Bool {
    ["struct", "enum", "class", "actor", "protocol"].contains(word)
  }

  /// The name of the type that a line begins to declare or to extend; `nil` if it is something else.
  private static func name(ofScope words: [Substring], _ head: String) -> String? {
    guard let index = words.firstIndex(where: { isTypeKeyword($0) || $0 == "extension" }),
      index + 1 < words.count
    else { return nil }
    return String(words[index + 1].prefix { $0 != ":" && $0 != "<" })
  }

  /// A declaration without its body.
  private static func head(of declaration: String) -> String {
    var depth = 0
    for index in declaration.indices {
      switch declaration[index] {
      case "(": depth += 1
      case ")": depth -= 1
      // What is in parentheses is the default of a parameter.
      case "{" where depth == 0:
        return head(of: String(declaration[..<index].dropLast()))
      default: break
      }
    }
    return declaration.replacing("( ", with: "(").replacing(" )", with: ")")
  }
}
