import Foundation

/// The interface of a module that stands in for one of Apple's, as the module of the system has it: its
/// classes and protocols are those of Objective-C, and optional requirements have no default implementation.
///
/// It is made of what the compiler prints of the module, so that nothing is declared twice.
struct ObjectiveCInterface {
  private var lines: [String] = []
  private let protocols: Set<String>
  /// The methods with a default implementation, by protocol, as they are printed.
  private let defaults: [String: Set<String>]

  /// - Parameter interface: What `swift-synthesize-interface` prints of the module.
  init(of module: String, _ interface: String) {
    let printed = interface.split(separator: "\n").map(String.init)
      .filter { !$0.drop { $0 == " " }.hasPrefix("///") }
    protocols = Set(printed.compactMap { Self.word(after: "public protocol ", in: $0) })
      // This one is Swift's own.
      .subtracting(["UIContentConfiguration"])
    var defaults: [String: Set<String>] = [:]
    for block in Self.blocks(of: printed) {
      guard let name = Self.extended(by: block), protocols.contains(name) else { continue }
      defaults[name] = Set(block.compactMap(Self.method))
    }
    self.defaults = defaults
    lines = [
      "// swift-interface-format-version: 1.0", "// swift-compiler-version: this",
      "// swift-module-flags: -swift-version 6 -module-name \(module) "
        + ObjectiveCModules.flags.joined(separator: " "),
      "import Swift", "import _Concurrency", "import ObjectiveC",
    ]
    for block in Self.blocks(of: printed) { add(block) }
    for name in ["NSDragOperation", "NSUserInterfaceItemIdentifier"] where module == "AppKit" {
      lines.append("extension \(name) : ObjectiveC.Represented {}")
    }
  }

  /// The text of the interface.
  var text: String { lines.joined(separator: "\n") + "\n" }

  /// The declarations of a file, each with its lines.
  private static func blocks(of lines: [String]) -> [[String]] {
    var blocks: [[String]] = []
    for line in lines {
      if line.hasPrefix(" ") || line.hasPrefix("}"), !blocks.isEmpty {
        blocks[blocks.count - 1].append(line)
      } else {
        blocks.append([line])
      }
    }
    return blocks
  }

  private static func word(after marker: String, in line: String) -> String? {
    line.range(of: marker).map { range in
      String(line[range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" })
    }
  }

  private static func extended(by block: [String]) -> String? {
    block[0].hasPrefix("extension ") ? word(after: "extension ", in: block[0]) : nil
  }

  private static func method(_ line: String) -> String? {
    line.range(of: "func ").map { String(line[$0.lowerBound...]) }
  }

  private mutating func add(_ block: [String]) {
    let head = block[0]
    if head.contains("import ") {
      if head.hasSuffix("import Foundation") { lines.append("@_exported import Foundation") }
    } else if let name = Self.word(after: "public protocol ", in: head), protocols.contains(name) {
      let head = head.replacing(" : NSObjectProtocol {", with: " {")
        .replacing(", NSObjectProtocol", with: "")
      lines.append("@objc " + head)
      lines += block.dropFirst().map { requirement($0, of: name) }
    } else if let name = Self.extended(by: block), protocols.contains(name) {
      return
    } else {
      let isClass = head.contains("open class ")
      lines.append((isClass ? "@objc " : "") + Self.member(head))
      if isClass, head.contains(": NSObject"), !block.contains(where: { $0.contains(" init") }) {
        lines.append("    public override init()")
      }
      lines += block.dropFirst().map(Self.member)
    }
  }

  private func requirement(_ line: String, of name: String) -> String {
    guard let method = Self.method(line), defaults[name]?.contains(method) == true else {
      return Self.member(line)
    }
    return "    @objc "
      + line.trimmingCharacters(in: .whitespaces).replacing(
        "func ", with: "optional func ", maxReplacements: 1)
  }

  /// A declaration as an interface has it: without what only the module itself may set, with accessors, and
  /// enumerations as those of Objective-C.
  private static func member(_ line: String) -> String {
    var line = line.replacing("private(set) ", with: "").replacing("internal(set) ", with: "")
      .replacing(
        "= UnsafeMutablePointer<Pointee>", with: "= UnsafeMutablePointer<ObjectiveCObject>")
    if line.contains("public enum "), line.contains(" : Int") || line.contains(" : UInt") {
      line = line.replacing("public enum ", with: "@objc public enum ")
    }
    let isProperty = line.hasPrefix(" ") && (line.contains(" var ") || line.contains(" let "))
    guard isProperty, !line.contains("{"), !line.contains("func ") else { return line }
    return line.replacing(" let ", with: " var ") + " { get set }"
  }
}
