/** The solver against every fall of the dice, by the earlier edition of the rules. */
import { testEdition } from "../testing/brute-force.ts";

testEdition("5.1");
