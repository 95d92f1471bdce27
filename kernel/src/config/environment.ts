/**
 * The `FAIRLEAD_` variables: which setting of the configuration each one gives, and what it may hold. Pure.
 *
 * Not here: the settings themselves, and whether a value fits (`config.ts`).
 */
import { didYouMean, type Issue } from "@fairlead/contracts";

export type Environment = Readonly<Record<string, string | undefined>>;

interface Variable {
  /** Keys that lead to the setting. */
  readonly setting: readonly string[];
  /** What it may hold, in words. */
  readonly allowed: string;
  /** Its value as the configuration writes it; the text as it is where left out, or where it is none of those. */
  readonly read?: (text: string) => unknown;
}

const asItIs = (text: string): unknown => text;
const number = (text: string): unknown => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : text);
const flag = (text: string): unknown => (text === "true" || text === "false" ? text === "true" : text);
const list = (text: string): unknown => text.split(",").map((item) => item.trim());

const variables: Readonly<Record<string, Variable>> = {
  FAIRLEAD_HOST: { setting: ["host"], allowed: "an address to bind, like 127.0.0.1" },
  FAIRLEAD_PORT: { setting: ["port"], allowed: "a whole number from 0 to 65535", read: number },
  FAIRLEAD_LAG_MS: { setting: ["lagMs"], allowed: "milliseconds, more than 0", read: number },
  FAIRLEAD_MANIFEST: { setting: ["manifest"], allowed: "the path of a generated manifest" },
  FAIRLEAD_STATE_DIR: { setting: ["stateDir"], allowed: "the path of a folder" },
  FAIRLEAD_LOG_LEVEL: { setting: ["log", "level"], allowed: "debug, info, warn or error" },
  FAIRLEAD_LOG_CALLS: { setting: ["log", "calls"], allowed: "changes or all" },
  FAIRLEAD_OTLP_URL: { setting: ["otlp", "url"], allowed: "an address, like http://127.0.0.1:4318" },
  FAIRLEAD_ORIGINS: {
    setting: ["origins"],
    allowed: "origins with commas between them, like https://app.example.com",
    read: list,
  },
  FAIRLEAD_WORKERS: {
    setting: ["workers"],
    allowed: "a whole number from 1 to 256, or auto",
    read: number,
  },
  FAIRLEAD_SHARED_PORT: { setting: ["sharedPort"], allowed: "true or false", read: flag },
  FAIRLEAD_NATS: {
    setting: ["nats", "servers"],
    allowed: "addresses of NATS servers with commas between them, like nats://127.0.0.1:4222",
    read: list,
  },
  FAIRLEAD_NATS_CREDENTIALS: { setting: ["nats", "credentialsFile"], allowed: "the path of a credentials file" },
  FAIRLEAD_NATS_USER: { setting: ["nats", "user"], allowed: "the name of a user" },
  FAIRLEAD_NATS_CA: { setting: ["nats", "tls", "caFile"], allowed: "the path of certificates in PEM" },
  FAIRLEAD_NATS_CERT: { setting: ["nats", "tls", "certFile"], allowed: "the path of a certificate in PEM" },
  FAIRLEAD_NATS_KEY: { setting: ["nats", "tls", "keyFile"], allowed: "the path of a private key in PEM" },
  FAIRLEAD_CLUSTER: {
    setting: ["cluster", "listen"],
    allowed: "an address of this machine with a port, like 10.0.0.5:5100",
  },
  FAIRLEAD_ONLY: { setting: ["only"], allowed: "ids of services with commas between them", read: list },
};

/** Not settings, and read elsewhere; listed here so that they are not refused. */
const otherVariables = ["FAIRLEAD_URL", "FAIRLEAD_TOKEN_FILE", "FAIRLEAD_CONFIG"];

/** Variables that hold the kernel's own secrets: services do not see them. */
export const secretVariables = [
  "FAIRLEAD_TOKEN",
  "FAIRLEAD_NATS_SECRET",
  "FAIRLEAD_NATS_PASSWORD",
  "FAIRLEAD_NATS_TOKEN",
  "FAIRLEAD_STORE_PASSWORD",
  "FAIRLEAD_CLUSTER_SECRET",
] as const;

/** Texts that no log, error or event has. */
export const environmentSecrets = (env: Environment): readonly string[] =>
  secretVariables.map((name) => env[name] ?? "");

/** One variable that is set. */
interface SettingValue {
  readonly name: string;
  /** A configuration with this setting and no other. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** What to say when its value does not fit. */
  readonly wrong: Issue;
}

export const variablesIn = (env: Environment): readonly SettingValue[] =>
  Object.entries(variables).flatMap(([name, { setting, allowed, read = asItIs }]) => {
    const value = env[name];
    if (value === undefined) return [];
    const settings = setting.reduceRight<unknown>((inner, key) => ({ [key]: inner }), read(value));
    const wrong = { path: name, expected: allowed, fix: `replace ${JSON.stringify(value.slice(0, longestShown))}` };
    return [{ name, settings: Object(settings), wrong }];
  });

/** The variable that is set for a setting of this name, else the setting itself: where to look for what is wrong with it. */
export const settingSource = (setting: string, env: Environment): string =>
  variablesIn(env).find(({ settings }) => Object.hasOwn(settings, setting))?.name ?? setting;

/** Characters of a wrong value that are shown. */
const longestShown = 80;

/** Variables that begin with `FAIRLEAD_` and do not exist, each with the name that was probably meant. */
export const unknownVariables = (env: Environment): readonly Issue[] => {
  const known = [...Object.keys(variables), ...secretVariables, ...otherVariables];
  return Object.keys(env)
    .filter((name) => name.startsWith("FAIRLEAD_") && env[name] !== undefined && !known.includes(name))
    .map((name) => {
      const near = didYouMean(name, known);
      return {
        path: name,
        expected: "no such variable",
        fix: near === undefined ? "remove it" : `did you mean ${near}?`,
      };
    });
};
