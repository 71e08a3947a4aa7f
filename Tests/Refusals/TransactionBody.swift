// P56: a transaction belongs to its thread, so its body cannot suspend.

import KeyValueObserving

func transfer(_ account: Account) async {
  withKeyValueTransaction {  // error: cannot pass function of type '() async -> ()'
    account.balance -= 1
    await Task.yield()
  }
}

/// An error that is thrown in the body is one of the function.
func withdraw(_ account: Account) {
  withKeyValueTransaction {  // error: call can throw
    account.balance -= 1
    if account.balance < 0 { throw Overdrawn() }
  }
}

struct Overdrawn: Error {}

@KeyValueObservable
final class Account {
  var balance = 0
}
