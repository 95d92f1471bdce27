/** A sample; `agreement.long.test.ts` tries more values. */
import { testAgreement } from "./agreement.ts";

testAgreement({ random: 2, shipped: 8, every: 6 });
