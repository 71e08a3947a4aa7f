import KeyValueObserving

let list = DownloadList()
let summaries = list.onChange(of: \.summary) { print($0) }
