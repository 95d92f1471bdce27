/** A sample; `agreement.long.test.ts` tries more values. */
import { testAgreement } from "./agreement.ts";

testAgreement({ random: 10, shipped: 20 });
