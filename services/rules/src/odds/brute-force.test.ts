/** A sample of the later edition; `brute-force.long.test.ts` tries all of both. */
import { testEdition } from "../testing/brute-force.ts";

testEdition("5.2", 18);
