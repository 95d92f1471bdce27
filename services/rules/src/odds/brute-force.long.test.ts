/** The solver against every fall of the dice, by both editions of the rules. */
import { testEdition } from "../testing/brute-force.ts";

testEdition("5.1");
testEdition("5.2");
