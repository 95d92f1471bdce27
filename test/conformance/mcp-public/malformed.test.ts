/** A thousand messages; `malformed.long.test.ts` sends ten thousand. */
import { testMalformed } from "./malformed.ts";

testMalformed(20);
