/** Ten thousand messages. */
import { testMalformed } from "./malformed.ts";

testMalformed(200);
