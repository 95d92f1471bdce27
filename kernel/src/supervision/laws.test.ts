/** A sample of the histories that `npm run soak` draws hundreds of thousands of. */
import { testLaws } from "../testing/supervision-laws.ts";

testLaws(1);
