/** Two hundred reconnects. */
import { testReconnects } from "./reconnects.ts";

testReconnects(200);
