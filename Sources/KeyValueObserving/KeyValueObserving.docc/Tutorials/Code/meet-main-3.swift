import KeyValueObserving

let list = DownloadList()
let summaries = list.onChange(of: \.summary) { print($0) }
let additions = list.observeElements(of: \.downloads) { _, change in
  for insertion in change.insertions { print("added", insertion.element.name) }
}

let map = Download(name: "map", size: 200)
list.downloads.append(map)
map.received = 100
map.received = 200
