/// A value for each end of the loaded rows.
struct EndPair<Value: Sendable>: Sendable {
  var start: Value
  var end: Value

  subscript(end: PageEnd) -> Value {
    get { end == .start ? start : self.end }
    set {
      if end == .start { start = newValue } else { self.end = newValue }
    }
  }
}

extension EndPair: Equatable where Value: Equatable {}

extension EndPair where Value == Bool {
  static var neither: EndPair { EndPair(start: false, end: false) }
  static var both: EndPair { EndPair(start: true, end: true) }
}
