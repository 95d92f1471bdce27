/** A sample; `settle-tree.long.test.ts` and `settle-tree.soak.ts` play more. */
import { testWorkingTree } from "../testing/tree-model.ts";

testWorkingTree(1);
