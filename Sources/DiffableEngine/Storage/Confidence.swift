/// Estimates whether a try is worth its cost, from recent tries.
struct Confidence {
  private var credit = 32
  private var rests = 0

  /// A try is made now and then even without credit: the array may be different from here on.
  var isWorthTrying: Bool {
    mutating get {
      if credit > 0 { return true }
      rests += 1
      return rests % 64 == 0
    }
  }

  var isUsedUp: Bool { credit == 0 }

  /// The number of further tries that are not worth their cost.
  var patience: Int { isUsedUp ? 63 - rests % 64 : 0 }

  mutating func record(success: Bool) {
    credit = success ? Swift.min(64, credit + 4) : Swift.max(0, credit - 1)
  }

  /// Records tries that were not made.
  mutating func rest(_ count: Int) { rests += count }
}
