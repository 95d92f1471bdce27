/** Every other attack over one of the transports, in turn; `amplification.long.test.ts` sends each over all. */
import { testAmplification } from "./amplification.ts";

testAmplification((attack, transport) => attack % 6 === 2 * transport);
