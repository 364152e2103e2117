import Foundation

/// Numbers in a readable format.
enum Figure {
  /// Thousandths of a core as percent: `12.3`.
  static func percent(permille: Int) -> String {
    "\(permille / 10).\(permille % 10)"
  }

  /// Bytes with one decimal, in the unit that leaves at most four digits before it: `123.4 MiB`.
  ///
  /// Zero is a dash.
  static func bytes(_ count: Int) -> String {
    guard count > 0 else { return "–" }
    var tenths = count / 1024 * 10 + count % 1024 * 10 / 1024
    var unit = 0
    let units = ["KiB", "MiB", "GiB", "TiB"]
    while tenths >= 10_240, unit + 1 < units.count {
      tenths /= 1024
      unit += 1
    }
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// A time in the unit that leaves at most four digits: `850 µs`, `12 ms`.
  static func duration(_ duration: Duration) -> String {
    let units: [(String, Duration)] = [("µs", .microseconds(1)), ("ms", .milliseconds(1))]
    for (name, unit) in units where duration < unit * 10_000 {
      return "\(Int(duration / unit)) \(name)"
    }
    return "\(duration.components.seconds) s"
  }

  /// A count with a noun: `1 process`, `2 processes`.
  static func count(_ count: Int, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  /// A time of today as `16:05:09`, any other one as `2026-11-25 16:05`.
  static func time(_ date: Date, now: Date, in zone: TimeZone = .current) -> String {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second], from: date)
    let time = "\(two(parts.hour)):\(two(parts.minute))"
    guard !calendar.isDate(date, inSameDayAs: now) else { return "\(time):\(two(parts.second))" }
    return "\(parts.year ?? 0)-\(two(parts.month))-\(two(parts.day)) \(time)"
  }
}
