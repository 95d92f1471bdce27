/** Each attack over each transport. */
import { testAmplification } from "./amplification.ts";

testAmplification(() => true);
