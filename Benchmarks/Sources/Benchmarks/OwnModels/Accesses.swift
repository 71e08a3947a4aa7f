import Models

// Every access that is measured goes through one of these calls, which the optimizer must not
// inline: an access that it could see in a loop it would move out of it.

@inline(never) func getCount(_ object: OwnStored) -> Int { object.count }
@inline(never) func getCount(_ object: OwnModel) -> Int { object.count }
@inline(never) func getCount(_ object: OwnObservable) -> Int { object.count }
@inline(never) func getCount(_ object: Stored) -> Int { object.count }
@inline(never) func getCount(_ object: Model) -> Int { object.count }
@inline(never) func getCount(_ object: ObservableModel) -> Int { object.count }

@inline(never) func setCount(_ object: OwnStored, _ value: Int) { object.count = value }
@inline(never) func setCount(_ object: OwnModel, _ value: Int) { object.count = value }
@inline(never) func setCount(_ object: OwnObservable, _ value: Int) { object.count = value }
@inline(never) func setCount(_ object: Stored, _ value: Int) { object.count = value }
@inline(never) func setCount(_ object: StoredClosure, _ value: Int) { object.count = value }
@inline(never) func setCount(_ object: ClosureArray, _ value: Int) { object.count = value }
@inline(never) func setCount(_ object: Model, _ value: Int) { object.count = value }
@inline(never) func setCount(_ object: Wide, _ value: Int) { object.count = value }
@inline(never) func setCount(_ object: ObservableModel, _ value: Int) { object.count = value }

@inline(never) func setText(_ object: StoredClosure, _ value: String) { object.text = value }
@inline(never) func setText(_ object: Model, _ value: String) { object.text = value }

@inline(never) func setBlock(_ object: StoredClosure, _ value: Block) { object.block = value }
@inline(never) func setBlock(_ object: Model, _ value: Block) { object.block = value }

@inline(never) func append(_ value: Int, to object: Stored) { object.items.append(value) }
@inline(never) func append(_ value: Int, to object: Model) { object.items.append(value) }

@inline(never) func removeLast(from object: Stored) { object.items.removeLast() }
@inline(never) func removeLast(from object: Model) { object.items.removeLast() }

@inline(never) func setValue(_ node: Node, _ value: Int) { node.value = value }
@inline(never) func setNext(_ node: Node, _ next: Node) { node.next = next }

@inline(never) func setFirst(_ object: Sum, _ value: Int) { object.first = value }
