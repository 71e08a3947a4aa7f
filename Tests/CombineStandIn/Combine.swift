// A module of the name of Apple's, with which `Scripts/test-integrations` compiles what is compiled on
// Apple's platforms only.
@_exported import OpenCombine
