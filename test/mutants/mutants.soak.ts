/** A large sample of the mutants, against all tests of the kernel. */
import { testMutants } from "./mutants.ts";

testMutants({ size: 96, tests: ["near", "all"], mayLive: 1 / 8 });
