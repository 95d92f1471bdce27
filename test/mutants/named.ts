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
  // A caller's own end is not a failure of the service.
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
  // A handler reads as many bytes of a file as the contract says, and no file where none was sent.
  {
    path: "kernel/src/dispatch/active-call.ts",
    before: "size > most ? fileTooLarge",
    after: "size >= most ? fileTooLarge",
    tests: ["kernel/src/dispatch/upload.test.ts"],
  },
  {
    path: "kernel/src/dispatch/active-call.ts",
    before: "if (file === undefined) return undefined;",
    after: "if (false) return undefined;",
    tests: ["kernel/src/dispatch/upload.test.ts"],
  },
  // A trial of fewer places has to do about as well, one of more places better.
  {
    path: "kernel/src/policy/adaptive-limit.ts",
    before: 'const isGood = direction === "down"',
    after: 'const isGood = direction !== "down"',
    tests: ["kernel/src/policy/adaptive-limit.test.ts"],
  },
  {
    path: "kernel/src/policy/adaptive-limit.ts",
    before: "rate >= better * trial.rate",
    after: "rate > better * trial.rate",
    tests: ["kernel/src/policy/adaptive-limit.test.ts"],
  },
  // A log of all calls has queries as well, and shows no failure as less than it is.
  {
    path: "kernel/src/dispatch/dispatch.ts",
    before: 'usual === "debug" && logs.calls === "all"',
    after: 'usual === "debug" || logs.calls === "all"',
    tests: ["kernel/src/dispatch/record.test.ts"],
  },
  // A stream that its reader leaves has not failed.
  {
    path: "kernel/src/dispatch/subscribe.ts",
    before: 'end(why.code === "canceled"',
    after: 'end(why.code !== "canceled"',
    tests: ["kernel/src/dispatch/record.test.ts"],
  },
  // A refusal of the whole input names it, and no path.
  {
    path: "kernel/src/limits/breach.ts",
    before: 'breach.path === "" ?',
    after: 'breach.path !== "" ?',
    tests: ["kernel/src/limits/breach.test.ts"],
  },
  // The names of members are bytes of an answer, too.
  {
    path: "kernel/src/limits/output-size.ts",
    before: "left - key.length - 4",
    after: "left + key.length - 4",
    tests: ["kernel/src/limits/output-size.test.ts"],
  },
  // A service that waits for one which failed has that one's error, and no other has it.
  {
    path: "kernel/src/dispatch/run.ts",
    before: "if (error === undefined) return",
    after: "if (true) return",
    tests: ["kernel/src/dispatch/run.test.ts"],
  },
  {
    path: "kernel/src/dispatch/run.ts",
    before: "if (error === undefined) return",
    after: "if (false) return",
    tests: ["kernel/src/dispatch/run.test.ts"],
  },
];
