/// The library's own sources and a program that uses them, compiled as one module.
@main enum OneModule {
  static func main() async throws {
    try await probeSpecialisation(of: "one-module")
  }
}
