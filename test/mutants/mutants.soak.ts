/** A sample of the mutants: here and not in the long tier, where 24 of them took more than ten minutes. */
import { testMutants } from "./mutants.ts";

testMutants(96);
