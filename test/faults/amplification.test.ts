/** Each attack over one of the transports, in turn; `amplification.long.test.ts` sends each over all. */
import { testAmplification } from "./amplification.ts";

testAmplification((attack, transport) => attack % 3 === transport);
