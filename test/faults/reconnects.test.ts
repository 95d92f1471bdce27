/** A sample; `reconnects.long.test.ts` makes more: what leaks one of a few leaks one of many. */
import { testReconnects } from "./reconnects.ts";

testReconnects(10);
