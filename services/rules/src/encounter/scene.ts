/** The scene of a call that says nothing about it. */
import { game, type Scene } from "@fairlead/contracts/rules";

export const noScene: Scene = game.parse({ player: { name: "Nobody", characterClass: "None", level: 1 } }).scene;
