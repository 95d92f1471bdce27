/** Zod and ajv on many random schemas and values. */
import { testAgreement } from "./agreement.ts";

testAgreement({ random: 100, shipped: 150, every: 1 });
