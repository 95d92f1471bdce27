/** A sample; `agreement.long.test.ts` tries more values. */
import { testAgreement } from "./agreement.ts";

testAgreement({ random: 5, shipped: 20, every: 3 });
