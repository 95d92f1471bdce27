/**
 * Commands that may check a ticket: the words each must begin with, and the parsing into argv. A command is never given to a
 * shell; what needs a shell is refused.
 *
 * The list says which tools may run, not that they are harmless: `npm test` runs what the project's own package file says.
 */
import { limits } from "../value/limits.ts";
import { splitWords } from "../value/words.ts";

export const allowedCommands: readonly string[] = [
  "npm test",
  "npm t",
  "npm run test",
  "npm run lint",
  "npm run typecheck",
  "npm run build",
  "npm run check",
  "npm run",
  "npx vitest",
  "npx jest",
  "npx mocha",
  "npx ava",
  "npx playwright test",
  "npx eslint",
  "npx biome",
  "npx prettier",
  "npx tsc",
  "npx turbo",
  "yarn test",
  "yarn run",
  "yarn lint",
  "pnpm test",
  "pnpm run",
  "pnpm lint",
  "bun test",
  "bun run",
  "deno test",
  "deno lint",
  "deno check",
  "node --test",
  "pytest",
  "python -m pytest",
  "python3 -m pytest",
  "python -m unittest",
  "python3 -m unittest",
  "mypy",
  "ruff",
  "black --check",
  "tox",
  "go test",
  "go vet",
  "go build",
  "cargo test",
  "cargo check",
  "cargo build",
  "cargo clippy",
  "cargo fmt",
  "bundle exec rspec",
  "bundle exec rake test",
  "bundle exec rubocop",
  "rake test",
  "mvn test",
  "mvn verify",
  "gradle test",
  "gradle check",
  "./gradlew test",
  "./gradlew check",
  "dotnet test",
  "dotnet build",
  "phpunit",
  "vendor/bin/phpunit",
  "composer test",
  "mix test",
  "mix credo",
  "swift test",
  "swift build",
  "make",
  "./test",
  "./test.sh",
  "./run-tests",
  "./run-tests.sh",
  "./run_tests.sh",
  "./check",
  "./check.sh",
  "./bin/test",
  "./script/test",
  "./scripts/test",
  "./scripts/test.sh",
];

/** `node` with a file that is a test by its name or its folder; what follows are the test's own arguments. */
const isNodeTest = ([program, file = ""]: readonly string[]): boolean =>
  program === "node" &&
  /^[\w.][\w./-]*\.[cm]?[jt]s$/.test(file) &&
  !leavesProject(file) &&
  /(?:^|\/)(?:tests?|specs?|__tests__)\/|[._-](?:test|spec)\.[cm]?[jt]s$/.test(file);

type CommandVerdict =
  | { readonly ok: true; readonly argv: readonly [string, ...string[]] }
  | { readonly ok: false; readonly why: string };

const refuse = (why: string): CommandVerdict => ({ ok: false, why });

/** Options by which an allowed tool would run a program, or read settings, of the caller's choice. */
const unsafeOptions =
  /^(?:--?(?:exec|toolexec|vettool|script-shell|prefix|userconfig|globalconfig|globalsetup|node-options|require|import|loader|eval|shell|init-script|include-build|rootdir|rcfile|config-file)|-[cefr])(?:=|$)|^-D/i;

export const parseCommand = (text: string): CommandVerdict => {
  if (text.length > limits.command) return refuse(`it is longer than ${limits.command} characters`);
  if (/[;&|`$><\n\r\0\\]/.test(text)) return refuse("it holds a character that only a shell understands");
  const words = splitWords(text);
  if (words === undefined) return refuse("a quotation mark is not closed");
  const [first, ...rest] = words;
  if (first === undefined) return refuse("it is empty");
  const argv = [first, ...rest] as const;
  const allowed = isNodeTest(argv)
    ? argv.slice(0, 2)
    : allowedCommands
        .map((command) => command.split(" "))
        .find((start) => start.every((word, index) => argv[index] === word));
  if (allowed === undefined) return refuse(`it starts with none of the allowed commands (${examples}, ...)`);
  const argument = argv.slice(allowed.length).find((word) => leavesProject(word));
  return argument === undefined
    ? { ok: true, argv }
    : refuse(`the argument ${JSON.stringify(argument)} is not allowed`);
};

const examples = ["npm test", "npx vitest", "pytest", "go test", "cargo test", "make"].join(", ");

/** Whether an argument leaves the project or lets the tool run something else. */
const leavesProject = (word: string): boolean => {
  if (unsafeOptions.test(word)) return true;
  const value = word.slice(word.indexOf("=") + 1);
  return [word, value].some((path) => path.startsWith("/") || path.startsWith("~") || path.split("/").includes(".."));
};
