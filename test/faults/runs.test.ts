import { testKilledRuns } from "./runs.ts";

testKilledRuns(1);
