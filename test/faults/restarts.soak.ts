/** A thousand restarts. */
import { testRestarts } from "./restarts.ts";

testRestarts(1_000);
