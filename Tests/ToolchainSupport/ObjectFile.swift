package import Foundation

/// An object file, looked at by the tools that lie beside the compiler.
package struct ObjectFile: Sendable {
  private let url: URL
  /// The folder of the compiler's tools.
  private let tools: URL

  package init(_ url: URL) async throws {
    self.url = url
    struct Info: Decodable {
      struct Paths: Decodable {
        let runtimeResourcePath: String
      }
      let paths: Paths
    }
    // Asked for, not looked up: other tools of these names may be found first.
    let info = try await SwiftCompiler.run("swiftc", ["-print-target-info"]).output
    let resources = try JSONDecoder().decode(Info.self, from: Data(info.utf8)).paths
    let folder = URL(fileURLWithPath: resources.runtimeResourcePath)
    tools = folder.appendingPathComponent("../../bin").standardizedFileURL
  }

  /// The number of bytes that a processor executes.
  package func machineCodeSize() async throws -> Int {
    let sections = try await run("llvm-objdump", ["--section-headers", url.path])
    // Index, name, size, address, and what is in it.
    let sizes = sections.split(separator: "\n").map { $0.split(separator: " ") }
      .filter { $0.count == 5 && $0[4].hasPrefix("TEXT") }
      .compactMap { Int($0[2], radix: 16) }
    guard !sizes.isEmpty else { throw Unreadable(what: "sections", output: sections) }
    return sizes.reduce(0, +)
  }

  /// The symbols that are defined in it and whose names have a text in them, in the words of the
  /// language.
  package func definedSymbols(containing text: String) async throws -> [String] {
    let names = try await run("llvm-nm", ["--defined-only", "--format=just-symbols", url.path])
    let symbols = names.split(separator: "\n").map(String.init)
    guard !symbols.isEmpty else { throw Unreadable(what: "symbols", output: names) }
    let wanted = symbols.filter { $0.contains(text) }
    var demangled: [String] = []
    // A command line has a greatest length.
    for start in stride(from: 0, to: wanted.count, by: 100) {
      let some = wanted[start..<min(start + 100, wanted.count)]
      demangled += try await run("swift-demangle", ["-compact"] + some)
        .split(separator: "\n").map(String.init)
    }
    return demangled
  }

  private func run(_ tool: String, _ arguments: [String]) async throws -> String {
    let result = try await tools.appendingPathComponent(tool).run(arguments)
    guard result.status == 0 else { throw Unreadable(what: tool, output: result.errors) }
    return result.output
  }

  /// A tool did not say what was asked of it.
  package struct Unreadable: Error {
    let what: String
    let output: String
  }
}
