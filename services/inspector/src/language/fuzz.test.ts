/** A sample of random texts; `fuzz.long.test.ts` tries twenty times as many. */
import { arbitraryText } from "../../linq/src/testing/arbitrary-text.ts";
import { testTexts } from "../testing/fuzz.ts";

testTexts(2_000, arbitraryText);
