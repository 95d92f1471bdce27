/** A few clients at once; `leak.long.test.ts` has two hundred. */
import { testLeaks } from "./leak.ts";

testLeaks({ name: "twenty-five clients at once", clients: 25, rounds: 10 });
