import KeyValueObserving

let list = DownloadList()
let summaries = list.onChange(of: \.summary) { print($0) }

let map = Download(name: "map", size: 200)
list.downloads.append(map)
map.received = 100
map.received = 200
