import KvoPort

PortCommand.main()
