import KvoCommand

await Kvo.main()
