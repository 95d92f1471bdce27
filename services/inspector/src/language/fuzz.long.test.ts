/** Random texts against a world in which nothing may run. */
import { arbitraryText } from "../../linq/src/testing/arbitrary-text.ts";
import { testTexts } from "../testing/fuzz.ts";

testTexts(40_000, arbitraryText);
