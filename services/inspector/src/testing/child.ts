/** A program that names its objects itself: three lines, and then its own work. */
import { inspect } from "../host.ts";

const Entities = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `e${id}`, level: id % 100 }));
inspect({ Entities, Player: { name: "remote" } });
setInterval(() => undefined, 1_000);
process.stdout.write("ready\n");
