/** Two hundred clients at once. */
import { testLeaks } from "./leak.ts";

testLeaks({ name: "two hundred clients at once", clients: 200, rounds: 25 });
