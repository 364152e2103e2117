package import Foundation

/// The modules of this package as they were built for the running test, to compile against.
///
/// A test target that uses this must depend on every module it names, so that they are built.
package struct BuiltModules: Sendable {
  /// The folder to import from.
  package let folder: URL
  /// Where the objects of each module lie.
  package let products: URL

  /// A class of the test bundle, to find the bundle by.
  private final class Anchor {}

  /// Finds the modules by walking up from the running test.
  ///
  /// - Throws: ``NotFound`` if none of the places where build systems put them has them.
  package init() throws {
    let starts = [
      Bundle(for: Anchor.self).bundleURL, Bundle.main.bundleURL,
      URL(fileURLWithPath: CommandLine.arguments[0]),
    ]
    for start in starts {
      var products = start.resolvingSymlinksInPath()
      while products.path.count > 1 {
        for folder in [products.appendingPathComponent("Modules"), products] {
          let module = folder.appendingPathComponent("Diffable.swiftmodule")
          if FileManager.default.fileExists(atPath: module.path) {
            (self.folder, self.products) = (folder, products)
            return
          }
        }
        products.deleteLastPathComponent()
      }
    }
    throw NotFound(what: "Diffable.swiftmodule", near: starts)
  }

  /// The objects to link for a module.
  ///
  /// The list that the build keeps is read, not the folder: that may hold objects of files that
  /// are gone.
  package func objects(of module: String) throws -> [URL] {
    let merged = products.appendingPathComponent("\(module).o")
    if FileManager.default.fileExists(atPath: merged.path) { return [merged] }
    let list = products.appendingPathComponent("\(module).build/output-file-map.json")
    struct File: Decodable {
      let object: String?
    }
    let files = try JSONDecoder().decode([String: File].self, from: Data(contentsOf: list))
    let objects = Set(files.values.compactMap(\.object)).sorted()
    guard !objects.isEmpty else { throw NotFound(what: "objects of \(module)", near: [list]) }
    return objects.map { URL(fileURLWithPath: $0) }
  }

  /// Something that the build should have left is not there.
  package struct NotFound: Error, CustomStringConvertible {
    let what: String
    let near: [URL]

    package var description: String {
      "\(what) is not to be found near " + near.map(\.path).joined(separator: ", ")
    }
  }
}
