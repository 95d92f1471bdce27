/**
 * Configuration: one schema for file, environment and flags, in rising order of precedence. Unknown keys are refused with the
 * nearest known one. Pure: reading the file is the caller's business.
 */
import { homedir } from "node:os";
import { join } from "node:path";
import { decoder, didYouMean, FairleadError, genConfigSchema, type Issue } from "@fairlead/contracts";
import * as z from "zod";
import { conflictIn, tokenSchema } from "./tokens/token.ts";

const origin = z.string().regex(/^https?:\/\/[^/?#\s]+$/, "an origin like https://app.example.com");

/** What `fairlead.config.ts` may hold. */
export const configSchema = z.strictObject({
  host: z.string().min(1).default("127.0.0.1").describe("Address to bind. Anything but loopback needs a token."),
  port: z.int().min(0).max(65_535).default(5_099).describe("Port to bind; 0 lets the system choose."),
  hosts: z
    .array(z.string().min(1))
    .default([])
    .describe("Further names that the Host header may have, with their port."),
  origins: z.array(origin).default([]).describe("Browser origins that may call; none by default."),
  tokens: z.array(tokenSchema).default([]).describe("Bearer tokens, hashed. With none, loopback needs no token."),
  services: z.record(z.string(), z.unknown()).default({}).describe("A section for each service, by its id."),
  only: z.array(z.string()).optional().describe("Services to run; all when left out."),
  manifest: z.string().optional().describe("Path of the generated manifest; the shipped services when left out."),
  lagMs: z
    .number()
    .positive()
    .default(200)
    .describe("Event loop lag, in milliseconds, above which calls are refused as overload."),
  stateDir: z.string().optional().describe("Folder for what must survive a restart."),
  log: z.strictObject({ level: z.enum(["debug", "info", "warn", "error"]).default("info") }).prefault({}),
  otlp: z
    .strictObject({
      url: z.url().describe("Base address of an OTLP/HTTP collector."),
      headers: z.record(z.string(), z.string()).default({}).describe("Headers to send along."),
    })
    .optional()
    .describe("Where spans go; nowhere when left out."),
  gen: genConfigSchema.optional().describe("For `fairlead gen`; checked here, so that no mistake waits for it."),
});

export type Config = z.output<typeof configSchema>;
export type ConfigInput = z.input<typeof configSchema>;

/** Names a configuration in `fairlead.config.ts` and types it. */
export const defineConfig = (config: ConfigInput): ConfigInput => config;

/** Gives what a variable sets; `file` is what stands under it. */
type Variable = (value: string, file: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;

const wholeNumber = (text: string): unknown => (/^\d+$/.test(text) ? Number(text) : text);

const recordOf = (value: unknown): object => (typeof value === "object" && value !== null ? value : {});

/** Environment variables the kernel reads, and what each sets. */
const variables = {
  FAIRLEAD_HOST: (value) => ({ host: value }),
  FAIRLEAD_PORT: (value) => ({ port: wholeNumber(value) }),
  FAIRLEAD_LAG_MS: (value) => ({ lagMs: wholeNumber(value) }),
  FAIRLEAD_MANIFEST: (value) => ({ manifest: value }),
  FAIRLEAD_STATE_DIR: (value) => ({ stateDir: value }),
  FAIRLEAD_LOG_LEVEL: (value) => ({ log: { level: value } }),
  FAIRLEAD_OTLP_URL: (value, file) => ({ otlp: { ...recordOf(file.otlp), url: value } }),
  FAIRLEAD_ORIGINS: (value) => ({ origins: value.split(",").map((item) => item.trim()) }),
  FAIRLEAD_ONLY: (value) => ({ only: value.split(",").map((item) => item.trim()) }),
} satisfies Record<string, Variable>;

/** Read by the command line, or by the kernel in a place of its own; known, so that they are not refused. */
const otherVariables = [
  "FAIRLEAD_TOKEN",
  "FAIRLEAD_URL",
  "FAIRLEAD_TOKEN_FILE",
  "FAIRLEAD_CONFIG",
  "FAIRLEAD_PROFILE",
  "FAIRLEAD_NO_TUI",
];

const decode = decoder<Config>(configSchema);

export interface ConfigSources {
  /** What the configuration file exports. */
  readonly file?: unknown;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** From the command line; wins. */
  readonly flags?: Readonly<Record<string, unknown>>;
}

/** One configuration out of its sources. Throws a `FairleadError` (`invalid_argument`) naming every wrong key. */
export const readConfig = ({ file = {}, env = {}, flags = {} }: ConfigSources): Config => {
  if (typeof file !== "object" || file === null)
    throw wrongConfiguration([{ path: "", expected: "an object", fix: "export an object" }]);
  const decoded = decode({ ...file, ...fromEnv(env, { ...file }), ...flags });
  if (!decoded.ok) throw wrongConfiguration(decoded.issues);
  refuseConflict(decoded.value);
  return decoded.value;
};

/** A token's name is its principal, with one rate and one set of idempotency keys. */
const refuseConflict = ({ tokens }: Config): void => {
  const at = conflictIn(tokens);
  if (at === -1) return;
  throw wrongConfiguration([
    {
      path: `tokens[${at}].name`,
      expected: "a name that no other token has, or the same rights as that one",
      fix: "rename one of them, or give both the same access, services and rate",
    },
  ]);
};

const fromEnv = (
  env: Readonly<Record<string, string | undefined>>,
  file: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const known: Readonly<Record<string, Variable>> = variables;
  const names = Object.keys(env).filter((name) => name.startsWith("FAIRLEAD_") && env[name] !== undefined);
  const unknown = names.filter((name) => known[name] === undefined && !otherVariables.includes(name));
  if (unknown.length > 0)
    throw wrongConfiguration(
      unknown.map((name) => unknownVariable(name, [...Object.keys(variables), ...otherVariables])),
    );
  return Object.assign({}, ...names.map((name) => known[name]?.(env[name] ?? "", file)));
};

const unknownVariable = (name: string, known: readonly string[]): Issue => {
  const near = didYouMean(name, known);
  const fix = near === undefined ? "remove it" : `did you mean ${near}?`;
  return { path: name, expected: "no such variable", fix };
};

/** What a configuration got wrong, wherever that was found. */
export const wrongConfiguration = (issues: readonly Issue[]): FairleadError =>
  new FairleadError({
    code: "invalid_argument",
    message: `the configuration has ${issues.length === 1 ? "an error" : `${issues.length} errors`}`,
    hint: "the README lists all settings",
    issues: issues.slice(0, 20),
  });

/** Where state goes when nothing is configured: the XDG state folder. */
export const defaultStateDir = (env: Readonly<Record<string, string | undefined>>): string =>
  join(env.XDG_STATE_HOME ?? join(homedir(), ".local", "state"), "fairlead");

/** Where `fairlead token` keeps tokens, and a kernel looks for them. */
export const tokenFileOf = (
  config: Pick<Config, "stateDir">,
  env: Readonly<Record<string, string | undefined>>,
): string => join(config.stateDir ?? defaultStateDir(env), "tokens.json");
