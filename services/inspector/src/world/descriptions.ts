/** What each root is, in the specification's words. */
export const rootDescriptions: Readonly<Record<string, string>> = {
  GameController: "Main game controller",
  Player: "Current player entity",
  Entities: "All loaded entities (ICollection)",
  IngameState: "Current game state",
  IngameUi: "UI elements",
  Camera: "Game camera",
  Files: "Game data files",
  Memory: "Memory access",
};
