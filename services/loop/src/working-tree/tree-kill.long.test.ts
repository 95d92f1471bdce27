import { testTreeKills } from "../testing/tree-kill.ts";

testTreeKills(20);
