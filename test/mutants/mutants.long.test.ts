/** A sample of the mutants against the tests beside them; the soak tries four times as many, and all tests of the kernel on survivors. */
import { testMutants } from "./mutants.ts";

testMutants({ size: 24, tests: "near" });
