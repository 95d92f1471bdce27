/**
 * Families of traces, each with one that goes in circles and a near-miss that looks like it and gets on. The labels were fixed before the
 * detector was changed to fit them; a family that the detector gets wrong stays. Data.
 */
import { failure, idle, type Noise, pass, result, type Trace, times } from "./traces.ts";

interface TraceFamily {
  readonly name: string;
  readonly loop: (noise: Noise) => Trace;
  readonly nearMiss: (noise: Noise) => Trace;
}

/** Three failures: of the same test, and of one test after the other. */
const failures = (
  name: string,
  output: (noise: Noise, failing: string) => string,
  [first, ...others]: readonly [string, ...string[]],
): TraceFamily => ({
  name,
  loop: (noise) => times(3, () => failure(output(noise, first))),
  nearMiss: (noise) => [first, ...others].map((failing) => failure(output(noise, failing))),
});

const npmBanner = `
> shop@2.4.1 pretest
> npm run build --if-present

> shop@2.4.1 build
> tsc -p tsconfig.build.json && node scripts/copy-assets.js --from assets --to dist/assets --quiet

> shop@2.4.1 test
> node --test --test-reporter=tap "test/**/*.test.js"
`;

const tap = ({ ms }: Noise, failing: string): string => `TAP version 13
# Subtest: ${failing}
not ok 1 - ${failing}
  ---
  duration_ms: ${ms()}
  type: 'test'
  failureType: 'testCodeFailure'
  error: 'Expected values to be strictly equal'
  code: 'ERR_ASSERTION'
  ...
1..1
# tests 1
# pass 0
# fail 1
# duration_ms ${ms()}
`;

const vitest = (noise: Noise, failing: string): string => `
 RUN  v5.1.1 /home/dev/shop

 ❯ src/cart.test.ts (4 tests | 1 failed) ${noise.number(90)}ms
   × ${failing} ${noise.number(90)}ms
     → expected 3 to be 4

 Test Files  1 failed (1)
      Tests  1 failed | 3 passed (4)
   Start at  ${noise.clock()}
   Duration  ${noise.seconds()}s (transform ${noise.number(90)}ms, setup 0ms)
`;

const pytest = ({ seconds, word, number }: Noise, failing: string): string => `
============================= test session starts ==============================
platform linux -- Python 3.12.3, pytest-8.1.1
collected 5 items
tmp_path = PosixPath('/tmp/pytest-of-dev/pytest-${number(999)}/${failing}0')
E       AssertionError: assert 1 == 2
E       File not found: /tmp/${word()}/store.db
FAILED tests/test_cart.py::${failing} - AssertionError: assert 1 == 2
========================= 1 failed, 4 passed in ${seconds()}s ==========================
`;

const go = ({ seconds, address, number }: Noise, failing: string): string => `--- FAIL: ${failing} (${seconds()}s)
    cart_test.go:12: got 3, want 4
panic: runtime error [recovered]
goroutine ${number(90)} [running]:
main.total(${address()})
FAIL	example.com/shop	${seconds()}s
`;

const cargo = ({ number, seconds }: Noise, failing: string): string => `running 4 tests
test ${failing} ... FAILED
thread '${failing}' (${number(99_999)}) panicked at src/lib.rs:40:9:
assertion failed: total == 4
test result: FAILED. 3 passed; 1 failed; 0 ignored; finished in ${seconds()}s
`;

const log = ({ clock, number }: Noise, problem: string): string =>
  times(6, () => failure(""))
    .map(
      (_, line) =>
        `2026-03-0${1 + number(9)}T${clock()}.${100 + number(899)}Z [worker-${line}] ${line === 5 ? problem : "step done"}`,
    )
    .join("\n");

/** Errors of one kind, fewer each time. */
const typeErrors = (count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `src/cart.ts(${index * 10 + 3},5): error TS2322: Type 'string' is not assignable to type 'number'.`,
  ).join("\n");

export const families: readonly TraceFamily[] = [
  // Nothing changes.
  { name: "prompts without a result", loop: () => times(5, () => idle), nearMiss: () => times(4, () => idle) },
  {
    name: "results that change nothing, each in other words",
    loop: () => times(5, () => result(null)),
    nearMiss: () => [...times(4, () => result(null)), result("a")],
  },
  {
    name: "the same diff again, in other words",
    loop: () => times(6, () => result("a")),
    nearMiss: () => times(6, (index) => result(`a${index}`)),
  },
  {
    name: "idle prompts between results",
    loop: () => times(3, () => result("a")).flatMap((step) => [step, idle]),
    nearMiss: () => times(6, (index) => result(`a${index}`)).flatMap((step) => [step, idle]),
  },
  {
    name: "long pauses",
    loop: () => [result("a"), ...times(5, () => idle)],
    nearMiss: () => ["a", "b", "c"].flatMap((diff) => [result(diff), ...times(4, () => idle)]),
  },
  {
    name: "an edit that is undone each time",
    loop: () => times(6, (index) => result(index % 2 === 0 ? "a" : null)),
    nearMiss: () => times(6, (index) => result(index % 2 === 0 ? `a${index}` : null)),
  },
  // The same words.
  {
    name: "the same summary",
    loop: () => times(3, () => result(null, "Fixed the bug.")),
    nearMiss: () => times(3, (index) => result(`a${index}`, "Fixed the bug.")),
  },
  {
    name: "done, again and again",
    loop: () => times(3, () => result("a", "Done.")),
    nearMiss: () => times(8, (index) => result(`a${index}`, "Done.")),
  },
  {
    name: "a summary with a counter",
    loop: () => times(3, (index) => result(null, `Attempt ${index + 1}: the tests need no change.`)),
    nearMiss: () => times(4, (index) => result(`a${index}`, `Attempt ${index + 1}: the tests need no change.`)),
  },
  {
    name: "a summary with a duration",
    loop: ({ ms }) => times(3, () => result("a", `All tests pass in ${ms()} ms.`)),
    nearMiss: ({ ms }) => times(4, (index) => result(`a${index}`, `All tests pass in ${ms()} ms.`)),
  },
  {
    name: "a summary with a path and a time",
    loop: ({ word, clock }) => times(3, () => result(null, `Wrote /tmp/${word()}/out.json at ${clock()}.`)),
    nearMiss: ({ word, clock }) => times(3, (i) => result(`a${i}`, `Wrote /tmp/${word()}/out.json at ${clock()}.`)),
  },
  {
    name: "a summary in other spaces",
    loop: () => ["Fixed the  bug.", "fixed the bug.", "Fixed the bug.\n"].map((text) => result(null, text)),
    nearMiss: () => ["Fixed the bug.", "Fixed the bug.", "Fixed the leak."].map((text) => result(null, text)),
  },
  // Swinging diffs.
  {
    name: "A-B-A",
    loop: () => ["a", "b", "a"].map((d) => result(d)),
    nearMiss: () => ["a", "b", "c"].map((d) => result(d)),
  },
  {
    name: "A-B-A-B with one summary",
    loop: () => ["a", "b", "a", "b"].map((diff) => result(diff, "Switched the order.")),
    nearMiss: () => ["a", "b", "c", "d"].map((diff) => result(diff, "Switched the order.")),
  },
  {
    name: "a swing after progress",
    loop: () => ["a", "b", "c", "x", "y", "x"].map((diff) => result(diff)),
    nearMiss: () => ["a", "b", "c", "x", "y", "z"].map((diff) => result(diff)),
  },
  {
    name: "a swing with idle prompts between",
    loop: () => ["a", "b", "a"].flatMap((diff) => [result(diff), idle]),
    nearMiss: () => ["a", "b", "b2"].flatMap((diff) => [result(diff), idle]),
  },
  // Two failures take turns.
  {
    name: "two failures in turn",
    loop: (noise) => times(6, (i) => failure(tap(noise, i % 2 === 0 ? "adds" : "removes"))),
    nearMiss: (noise) =>
      ["adds", "removes", "counts", "sorts", "clears", "prints"].map((name) => failure(tap(noise, name))),
  },
  {
    name: "lint against test",
    loop: (noise) =>
      times(6, (i) =>
        i % 2 === 0 ? failure("error: 'x' is never used", "npm run lint") : failure(vitest(noise, "adds")),
      ),
    nearMiss: (noise) => [
      failure("error: 'x' is never used", "npm run lint"),
      failure(vitest(noise, "adds")),
      failure("error: 'y' is never used", "npm run lint"),
      failure(vitest(noise, "removes")),
    ],
  },
  {
    name: "each fix breaks the other check",
    loop: (noise) =>
      times(6, (i) =>
        i % 2 === 0 ? failure("error: line too long", "npm run lint") : failure(vitest(noise, "adds")),
      ).flatMap((step, i) => [step, pass(i % 2 === 0 ? "npm test" : "npm run lint")]),
    nearMiss: (noise) => [
      failure("error: line too long", "npm run lint"),
      pass(),
      pass("npm run lint"),
      failure(vitest(noise, "adds")),
      failure("error: line too long", "npm run lint"),
      pass(),
    ],
  },
  {
    name: "both commands fail in each attempt",
    loop: (noise) =>
      times(3, () => failure(go(noise, "TestTotal"), "go test")).flatMap((s) => [
        s,
        failure("vet: unused result", "go vet"),
      ]),
    nearMiss: (noise) =>
      times(2, () => failure(go(noise, "TestTotal"), "go test")).flatMap((s) => [
        s,
        failure("vet: unused result", "go vet"),
      ]),
  },
  // One failure, with what differs by chance.
  failures("TAP with durations", tap, ["adds", "removes", "counts"]),
  failures("TAP behind a long banner", (noise, failing) => npmBanner + tap(noise, failing), [
    "adds",
    "removes",
    "counts",
  ]),
  failures("vitest with times", vitest, ["adds > one", "adds > two", "removes"]),
  failures("pytest with temporary folders", pytest, ["test_add", "test_remove", "test_count"]),
  failures("go with durations and addresses", go, ["TestAdd", "TestRemove", "TestCount"]),
  failures("cargo with thread ids", cargo, ["cart::adds", "cart::removes", "cart::counts"]),
  failures(
    "jest with times",
    ({ seconds, number }, failing) =>
      `FAIL src/cart.test.js (${seconds()} s)\n  ● Cart › ${failing} (${number(90)} ms)\n\n    expect(received).toBe(expected)\n\nTests: 1 failed, 3 passed, 4 total\nTime: ${seconds()} s`,
    ["adds", "removes", "counts"],
  ),
  failures(
    "mocha with times",
    ({ number }, failing) =>
      `  Cart\n    ✓ opens (${number(90)}ms)\n    1) ${failing}\n\n  1 passing (${number(900)}ms)\n  1 failing\n\n  AssertionError: expected 3 to equal 4`,
    ["adds", "removes", "counts"],
  ),
  failures(
    "a crash with addresses",
    ({ address, number }, failing) =>
      `AddressSanitizer: SEGV on unknown address ${address()} (pc ${address()} T0)\n==${number(99_999)}==ERROR\n    #0 ${address()} in ${failing} src/cart.c`,
    ["cart_add", "cart_remove", "cart_count"],
  ),
  failures(
    "objects with identity hashes",
    ({ number }, failing) => `java.lang.AssertionError: expected Cart@${number(2 ** 30).toString(16)} in ${failing}`,
    ["addItem", "removeItem", "countItems"],
  ),
  failures(
    "a file that is missing in a temporary folder",
    ({ word }, failing) => `Error: ENOENT: no such file or directory, open '/tmp/shop-${word()}/${failing}'`,
    ["cart.json", "users.json", "prices.json"],
  ),
  failures(
    "the same on another system",
    ({ word }, failing) =>
      `Error: ENOENT, open '/private/var/folders/z9/${word()}${word()}/T/shop-${word()}/${failing}'`,
    ["cart.json", "users.json", "prices.json"],
  ),
  failures(
    "the same with drive letters",
    ({ word }, failing) => `Error: ENOENT, open 'C:\\Users\\dev\\AppData\\Local\\Temp\\shop-${word()}\\${failing}'`,
    ["cart.json", "users.json", "prices.json"],
  ),
  failures(
    "a port that nobody listens on",
    ({ number }, failing) => `Error: connect ECONNREFUSED 127.0.0.1:${30_000 + number(30_000)} (${failing})`,
    ["database", "queue", "mailer"],
  ),
  failures("a log with times", log, ["error: cart is empty", "error: cart is locked", "error: no price"]),
  failures("unique ids in a message", ({ uuid }, failing) => `Error: order ${uuid()} was refused: ${failing}`, [
    "no stock",
    "no address",
    "no payment",
  ]),
  failures(
    "the seed of a property",
    ({ number }, failing) =>
      `Error: Property failed after 1 tests\n{ seed: ${number(2 ** 31)}, path: "0" }\nCounterexample: [${failing}]`,
    ["0", "-1", '""'],
  ),
  failures(
    "colours",
    ({ number }, failing) => `\u001B[3${number(8)}m✗\u001B[39m \u001B[1m${failing}\u001B[22m: expected 3 to be 4`,
    ["adds", "removes", "counts"],
  ),
  failures(
    "warnings with process ids",
    ({ number }, failing) =>
      `(node:${number(99_999)}) Warning: loading ES modules\nAssertionError [ERR_ASSERTION]: ${failing}`,
    ["3 !== 4", "4 !== 5", "5 !== 6"],
  ),
  failures(
    "the name of npm's own log",
    ({ clock, number }, failing) =>
      `npm error code 1\nnpm error ${failing}\nnpm error A complete log of this run can be found in: /home/dev/.npm/_logs/2026-03-01T${clock().replaceAll(":", "_")}_${number(999)}Z-debug-0.log`,
    ["adds failed", "removes failed", "counts failed"],
  ),
  {
    name: "type errors",
    loop: () => times(3, () => failure(typeErrors(3), "npx tsc")),
    nearMiss: () => [4, 3, 2, 1].map((count) => failure(typeErrors(count), "npx tsc")),
  },
  {
    name: "an error further down",
    loop: () => times(3, () => failure("cart.py:12: SyntaxError: invalid syntax", "make")),
    nearMiss: () => [12, 30, 44].map((line) => failure(`cart.py:${line}: SyntaxError: invalid syntax`, "make")),
  },
  {
    name: "a failure whose line moves with every comment above it",
    loop: () =>
      [12, 13, 14].map((line) => failure(`AssertionError: expected 3 to be 4\n    at total (src/cart.ts:${line}:5)`)),
    nearMiss: () =>
      [3, 5, 9].map((sum) => failure(`AssertionError: expected ${sum} to be 4\n    at total (src/cart.ts:12:5)`)),
  },
  {
    name: "the same failure, with others between",
    loop: (noise) => ["adds", "counts", "adds", "sorts", "adds"].map((name) => failure(tap(noise, name))),
    nearMiss: (noise) =>
      ["adds", "pass", "adds", "pass", "adds"].map((name) => (name === "pass" ? pass() : failure(tap(noise, name)))),
  },
];
