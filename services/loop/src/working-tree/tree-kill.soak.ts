import { testTreeKills } from "../testing/tree-kill.ts";

testTreeKills(1_000, (kills) => process.stderr.write(`${new Date().toISOString()} ${kills} kills\n`));
