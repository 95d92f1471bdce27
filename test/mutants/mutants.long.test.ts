/** A sample of the mutants. */
import { testMutants } from "./mutants.ts";

testMutants(24);
