/** A few clients at once; `leak.long.test.ts` has two hundred. */
import { testLeaks } from "./leak.ts";

testLeaks({ name: "ten clients at once", clients: 10, rounds: 5 });
