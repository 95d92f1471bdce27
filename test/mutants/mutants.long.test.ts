/** The mutants that lived once, and a small sample of all of them against the tests beside them; the soak tries more against all tests. */
import { testMutants, testNamedMutants } from "./mutants.ts";

testNamedMutants();
testMutants({ size: 8, tests: ["near"], mayLive: 2 / 3 });
