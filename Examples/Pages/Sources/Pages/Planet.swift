/// The subject of a page.
struct Planet {
  let name: String
  let text: String
  /// Names and values.
  let facts: [(String, String)]
  /// The color of the planet, and that of its page.
  let color: String
  let pageColor: String

  private init(
    _ name: String, _ color: String, on pageColor: String, distance: String, diameter: String,
    year: String, day: String, _ text: String
  ) {
    self.name = name
    self.text = text
    self.color = color
    self.pageColor = pageColor
    facts = [
      ("Distance from the Sun", distance), ("Diameter", diameter), ("Year", year),
      ("Rotation", day),
    ]
  }

  static let all = [
    Planet(
      "Mercury", "#a39b94", on: "#ece8e3", distance: "0.39 au", diameter: "4,879 km",
      year: "88 days", day: "59 days",
      """
      The smallest planet, and the fastest: three
      rotations take it two years. It has hardly
      any atmosphere, so its ground is hot enough
      by day to melt lead and very cold at night.
      """),
    Planet(
      "Venus", "#e0b45c", on: "#fbedd0", distance: "0.72 au", diameter: "12,104 km",
      year: "225 days", day: "243 days",
      """
      Clouds of sulfuric acid hide the surface.
      Under a carbon dioxide atmosphere ninety
      times as dense as ours it is hotter than
      Mercury. It rotates backwards.
      """),
    Planet(
      "Earth", "#3f7fbf", on: "#dcebf7", distance: "1 au", diameter: "12,756 km",
      year: "365 days", day: "23 h 56 min",
      """
      The densest planet, and the only one known
      to have oceans of water on its surface,
      plates that drift, and observers.
      """),
    Planet(
      "Mars", "#c1583a", on: "#f8ddd3", distance: "1.52 au", diameter: "6,792 km",
      year: "687 days", day: "24 h 37 min",
      """
      Iron oxide colors its deserts. Olympus
      Mons, a volcano, rises about 22 km above
      them, and Valles Marineris would reach
      across a continent.
      """),
    Planet(
      "Jupiter", "#c08f62", on: "#f3e2cd", distance: "5.20 au", diameter: "142,984 km",
      year: "11.9 years", day: "9 h 56 min",
      """
      More than twice as heavy as all other
      planets together. Its Great Red Spot is a
      storm wider than the Earth; its four large
      moons were seen by Galileo in 1610.
      """),
    Planet(
      "Saturn", "#d8bd7a", on: "#f6f1cf", distance: "9.5 au", diameter: "120,536 km",
      year: "29.4 years", day: "10 h 33 min",
      """
      Its rings are ice, from grains to boulders,
      thousands of kilometers wide and mostly
      some ten meters thick. On average it is
      less dense than water.
      """),
    Planet(
      "Uranus", "#7cc7c9", on: "#d7f1ee", distance: "19.2 au", diameter: "51,118 km",
      year: "84 years", day: "17 h 14 min",
      """
      It rolls backwards along its orbit on its
      side, so that each pole has summer for
      decades. William Herschel took it for a
      comet when he found it in 1781.
      """),
    Planet(
      "Neptune", "#4461c4", on: "#dcdff8", distance: "30.1 au", diameter: "49,528 km",
      year: "165 years", day: "16 h 6 min",
      """
      Found in 1846 where calculations from the
      motion of Uranus said it had to be. The
      fastest winds of all planets blow there, at
      over 2,000 km/h.
      """),
  ]
}
