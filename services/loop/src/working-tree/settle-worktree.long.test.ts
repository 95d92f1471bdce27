import { testWorktrees } from "../testing/worktree-model.ts";

testWorktrees(12);
