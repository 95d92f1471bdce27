/** A program that is looked at from outside: three lines, and then its own work. `busy` makes it loop for ever. */
import { inspect } from "../host.ts";

const Entities = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `e${id}`, level: id % 100 }));
if (process.argv[2] === "mute") Object.assign(globalThis, { app: { Entities, started: 7 } });
else inspect({ Entities, Player: { name: "remote" } });
setInterval(() => {
  while (process.argv[2] === "busy") Math.sqrt(2);
}, 50);
process.stdout.write("ready\n");
