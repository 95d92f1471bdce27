/** Names that try to be options, in the real git. */
import { testOptionNames } from "../testing/option-names.ts";

testOptionNames(60);
