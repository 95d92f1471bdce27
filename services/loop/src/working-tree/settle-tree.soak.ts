import { testWorkingTree } from "../testing/tree-model.ts";

testWorkingTree(2_000);
