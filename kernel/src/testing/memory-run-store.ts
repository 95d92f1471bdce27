/** A store of runs in memory, with the port's rules; for tests. What it holds outlives the runner over it, as a file would. */
import { isOver, type Run } from "../runs/run.ts";
import type { RunStore, RunWrite, RunWritten } from "../runs/store.ts";

interface MemoryRunStore extends RunStore {
  readonly runs: ReadonlyMap<string, Run>;
  /** Commits so far. */
  readonly commits: () => number;
  /** Whether there is room for no more open runs. */
  isFull: boolean;
  /** Called before each commit; what it rejects with, the commit fails with. */
  before: (writes: readonly RunWrite[]) => Promise<void>;
}

export const memoryRunStore = (): MemoryRunStore => {
  const runs = new Map<string, Run>();
  const inputs = new Map<string, unknown>();
  let owner: string | undefined;
  let commits = 0;
  const isSame = (a: Run, b: Run): boolean =>
    a.key !== undefined && a.key === b.key && a.procedure === b.procedure && a.principal.id === b.principal.id;
  const apply = (write: RunWrite): RunWritten => {
    switch (write.kind) {
      case "claim":
        if (owner !== undefined && owner !== write.owner.kernel) return { tag: "conflict" };
        owner = write.owner.kernel;
        return { tag: "written" };
      case "release":
        owner = undefined;
        return { tag: "written" };
      case "insert": {
        const known = [...runs.values()].find((run) => isSame(run, write.run));
        if (known !== undefined) return { tag: "exists", run: known };
        runs.set(write.run.id, write.run);
        inputs.set(write.run.id, write.input);
        return { tag: "written" };
      }
      case "update": {
        const known = runs.get(write.run.id);
        if (known?.version !== write.replaces) return { tag: "conflict" };
        if (store.isFull && isOver(known) && !isOver(write.run)) return { tag: "full" };
        runs.set(write.run.id, write.run);
        if (write.run.state.tag === "done") inputs.delete(write.run.id);
        return { tag: "written" };
      }
    }
  };
  const store: MemoryRunStore = {
    runs,
    commits: () => commits,
    isFull: false,
    before: () => Promise.resolve(),
    commit: (writes) =>
      store.before(writes).then(() => {
        commits += 1;
        return writes.map(apply);
      }),
    find: (id) => Promise.resolve(runs.get(id)),
    input: (id) => Promise.resolve(inputs.get(id)),
    open: () => Promise.resolve([...runs.values()].filter((run) => !isOver(run))),
    list: ({ principal, procedure, state, limit }) =>
      Promise.resolve({
        runs: [...runs.values()]
          .filter((run) => principal === undefined || run.principal.id === principal)
          .filter((run) => procedure === undefined || run.procedure === procedure)
          .filter((run) => state === undefined || run.state.tag === state)
          .toReversed()
          .slice(0, limit),
      }),
  };
  return store;
};
