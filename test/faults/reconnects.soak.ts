/** A thousand reconnects. */
import { testReconnects } from "./reconnects.ts";

testReconnects(1_000);
