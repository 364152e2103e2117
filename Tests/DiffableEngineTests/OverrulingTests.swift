import Testing

@testable import DiffableEngine

/// Versions of a model with the properties `a` and `b`, each 0 at first.
@Suite("What an edit overrules that is made again on a newer model") struct OverrulingTests {
  private struct Form: Equatable {
    var a = 0
    var b = 0
    /// Cannot be compared, so nothing is said of it.
    var action: @Sendable () -> Void = {}

    static func == (left: Form, right: Form) -> Bool { left.a == right.a && left.b == right.b }
  }

  private enum Choice: Equatable { case one(Int), other }

  private func overrules<Model: Equatable & Sendable>(
    _ base: Model, _ theirs: Model, _ edit: (inout Model) -> Void
  ) -> Bool {
    var (former, now) = (base, theirs)
    edit(&former)
    edit(&now)
    return withUnsafePointer(to: base) { base in
      withUnsafePointer(to: theirs) { theirs in
        withUnsafePointer(to: former) { former in
          withUnsafePointer(to: now) { now in
            ElementKernel(models: Model.self)
              .overrules(base: base, theirs: theirs, former: former, now: now)
          }
        }
      }
    }
  }

  @Test("A property counts if both have changed it and the edit gives the same value again")
  func properties() {
    for a in [0, 1, 5] {
      for b in [0, 1] {
        guard a + b > 0 else { continue }
        let theirs = Form(a: a, b: b)
        #expect(overrules(Form(), theirs) { $0.a = 5 } == (a == 1 || b == 0), "\(theirs)")
        #expect(!overrules(Form(), theirs) { $0.a += 5 }, "\(theirs)")
        #expect(overrules(Form(), theirs) { $0 = Form(a: 7, b: 7) }, "\(theirs)")
      }
    }
  }

  @Test("Other models are compared as a whole")
  func wholeModels() {
    #expect(overrules(Choice.one(1), .one(2)) { $0 = .other })
    #expect(!overrules(Choice.one(1), .one(2)) { if case .one(let n) = $0 { $0 = .one(n + 1) } })
    #expect(overrules(1, 2) { $0 = 3 })
    #expect(!overrules(1, 2) { $0 += 3 })
  }
}
