let list = DownloadList()
list.downloads = [Download(name: "map", size: 200), Download(name: "song", size: 100)]

let screen = Screen()
screen.show(list)

await list.run()
list.downloads.removeAll()
