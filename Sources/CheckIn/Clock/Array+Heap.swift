/// A binary heap in an array: the first element is the one that comes before all others.
extension Array {
  /// Adds an element, keeping the order.
  mutating func push(_ element: Element, before: (Element, Element) -> Bool) {
    append(element)
    var child = count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard before(self[child], self[parent]) else { return }
      swapAt(child, parent)
      child = parent
    }
  }

  /// Takes the first element out, keeping the order.
  @discardableResult
  mutating func popFirst(before: (Element, Element) -> Bool) -> Element? {
    guard let first else { return nil }
    swapAt(0, count - 1)
    removeLast()
    var parent = 0
    while true {
      var next = parent
      for child in [2 * parent + 1, 2 * parent + 2] where child < count && before(self[child], self[next]) {
        next = child
      }
      guard next != parent else { return first }
      swapAt(parent, next)
      parent = next
    }
  }
}
