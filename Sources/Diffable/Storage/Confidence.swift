/// Whether a try has been worth its cost lately.
struct Confidence {
  private var credit = 32
  private var rests = 0

  /// A try without credit is made now and then all the same: the array may have changed its ways.
  var isWorthTrying: Bool {
    mutating get {
      if credit > 0 { return true }
      rests += 1
      return rests % 64 == 0
    }
  }

  var isUsedUp: Bool { credit == 0 }

  /// How many more tries are not worth it.
  var patience: Int { isUsedUp ? 63 - rests % 64 : 0 }

  mutating func record(success: Bool) {
    credit = success ? Swift.min(64, credit + 4) : Swift.max(0, credit - 1)
  }

  /// Takes note of tries that were not made.
  mutating func rest(_ count: Int) { rests += count }
}
