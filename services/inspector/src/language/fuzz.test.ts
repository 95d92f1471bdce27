/** A sample of random texts; `fuzz.long.test.ts` tries ten times as many. */
import { arbitraryText } from "../../linq/src/testing/arbitrary-text.ts";
import { testTexts } from "../testing/fuzz.ts";

testTexts(4_000, arbitraryText);
