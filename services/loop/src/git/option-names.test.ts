/** A sample; `option-names.long.test.ts` tries more. */
import { testOptionNames } from "../testing/option-names.ts";

testOptionNames(12);
