/** A sample of the restarts under load that `npm run soak` plays a thousand times. */
import { testRestarts } from "./restarts.ts";

testRestarts(40, 7);
