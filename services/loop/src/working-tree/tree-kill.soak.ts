import { testTreeKills } from "../testing/tree-kill.ts";

testTreeKills(1_000);
