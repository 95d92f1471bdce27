import { testWorkingTree } from "../testing/tree-model.ts";

testWorkingTree(20);
