import Foundation

extension Declaration {
  /// Whether the value, or what a method returns, may be `nil`.
  var isNullable: Bool {
    if keyword == "init" { return text.contains("init?(") }
    if keyword == "func" {
      return text.components(separatedBy: " -> ").dropFirst().last?.hasSuffix("?") ?? false
    }
    return Self.type(in: text)?.hasSuffix("?") ?? false
  }

  /// The positions of the parameters that may be `nil`.
  var nullableParameters: [Int] {
    parameters.indices.filter { Self.type(in: parameters[$0])?.hasSuffix("?") ?? false }
  }

  private var parameters: [String] {
    var parameters: [String] = []
    var parameter = ""
    var depth = 0
    for character in text.drop(while: { $0 != "(" }) {
      if ")]".contains(character) { depth -= 1 }
      if depth == 0, !parameter.isEmpty || character == ")" { break }
      if depth == 1, character == "," {
        parameters.append(parameter)
        parameter = ""
      } else if depth > 0 {
        parameter.append(character)
      }
      if "([".contains(character) { depth += 1 }
    }
    return parameter.isEmpty ? parameters : parameters + [parameter]
  }

  /// What stands behind the first colon, without a default value.
  private static func type(in text: String) -> String? {
    guard let colon = text.firstIndex(of: ":") else { return nil }
    let type = text[text.index(after: colon)...].components(separatedBy: " = ")[0]
    return type.trimmingCharacters(in: .whitespaces)
  }
}
