/**
 * Small faults that lived once, each with the tests that have to notice it: the long tier puts them in one after the other. A line that is
 * written differently by now needs its row written again. Pure data.
 */
export interface NamedMutant {
  readonly path: string;
  /** Occurs once in the file. */
  readonly before: string;
  readonly after: string;
  /** Files of tests, or folders. */
  readonly tests: readonly string[];
}

const dispatchTests = ["kernel/src/dispatch/", "kernel/src/policy/"];

export const namedMutants: readonly NamedMutant[] = [
  // A retry that cannot fit before the deadline fails at once.
  { path: "kernel/src/policy/retry.ts", before: "output < leftMs()", after: "true", tests: dispatchTests },
  // A caller's own end is no failure of the service.
  {
    path: "kernel/src/policy/transformer.ts",
    before: '(cause.code === "deadline_exceeded" && endedByCaller)',
    after: "false",
    tests: dispatchTests,
  },
  {
    path: "kernel/src/policy/transformer.ts",
    before: '(cause.code === "deadline_exceeded" && endedByCaller)',
    after: 'cause.code === "deadline_exceeded"',
    tests: dispatchTests,
  },
  // Members of an object have another limit than items of a list.
  {
    path: "kernel/src/limits/scan.ts",
    before: "isObject[open - 1] ? count >= limits.keys : count >= limits.items",
    after: "isObject[open - 1] ? count >= limits.items : count >= limits.keys",
    tests: ["kernel/src/limits/"],
  },
  {
    path: "kernel/src/limits/scan.ts",
    before: "(frame.keys === undefined ? limits.items : limits.keys)",
    after: "(frame.keys === undefined ? limits.keys : limits.items)",
    tests: ["kernel/src/limits/"],
  },
  {
    path: "kernel/src/limits/scan.ts",
    before: 'frame.keys === undefined ? "items" : "keys"',
    after: 'frame.keys === undefined ? "keys" : "items"',
    tests: ["kernel/src/limits/"],
  },
  // A tool that has come through as many kernels as it may is not shown.
  {
    path: "services/connections/src/tools/tool-list.ts",
    before: "via.length >= maxHops",
    after: "via.length > maxHops",
    tests: ["services/connections/src/tools/", "services/connections/src/upstream/"],
  },
  // Only a busy control group is left for another time.
  {
    path: "kernel/src/subprocess/contain/control-group.ts",
    before: "else if (!isBusy(error)) throw error;",
    after: "",
    tests: ["kernel/src/subprocess/contain/control-group"],
  },
  {
    path: "kernel/src/subprocess/contain/control-group.ts",
    before: 'error.code === "EBUSY"',
    after: "true",
    tests: ["kernel/src/subprocess/contain/control-group"],
  },
];
