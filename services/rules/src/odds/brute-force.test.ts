/** The later edition; `brute-force.long.test.ts` tries the earlier one. */
import { testEdition } from "../testing/brute-force.ts";

testEdition("5.2");
