/**
 * What a client does with an entry of its file: the program that it starts, or the address that it asks, with the variables in it replaced.
 * Pure.
 */
import { isRecord } from "../text/record.ts";
import type { Places } from "./clients.ts";

export type Launch =
  | {
      readonly kind: "program";
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
      /** Variables that the entry names and the environment lacks. */
      readonly missing: readonly string[];
    }
  | {
      readonly kind: "address";
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly missing: readonly string[];
    };

/** `undefined` of an entry that is neither a program nor an address. */
export const readLaunch = (entry: unknown, environment: Places["env"]): Launch | undefined => {
  if (!isRecord(entry)) return undefined;
  const missing = new Set<string>();
  const expand = (text: string): string =>
    text.replace(reference, (whole: string, name: string, otherwise?: string) => {
      const value = environment[name] ?? otherwise;
      if (value === undefined) missing.add(name);
      return value ?? whole;
    });
  const pairs = (value: unknown): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(isRecord(value) ? value : {}).map(([name, text]) => [name, expand(String(text))]),
    );
  const { command, args, url, httpUrl, serverUrl, env_vars: passed, bearer_token_env_var: token } = entry;
  if (typeof command === "string") {
    const words = Array.isArray(args) ? args.map((word) => expand(String(word))) : [];
    const given = Array.isArray(passed) ? pairs(Object.fromEntries(passed.map((name) => [name, `\${${name}}`]))) : {};
    const env = { ...pairs(entry.env), ...given };
    return { kind: "program", command: expand(command), args: words, env, missing: [...missing] };
  }
  const address = [url, httpUrl, serverUrl].find((one) => typeof one === "string");
  if (address === undefined) return undefined;
  const authorization = typeof token === "string" ? { Authorization: expand(`Bearer \${${token}}`) } : {};
  const headers = { ...pairs(entry.headers), ...authorization };
  return { kind: "address", url: expand(address), headers, missing: [...missing] };
};

/** `${NAME}`, `${NAME:-otherwise}`, `${env:NAME}`, `${input:NAME}`. */
const reference = /\$\{(?:env:|input:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

/** Whether an entry starts `fairlead`, or asks a kernel of this machine. */
export const isOwnEntry = (entry: unknown): boolean => {
  const launch = readLaunch(entry, {});
  if (launch?.kind === "program") {
    const words = [launch.command, ...launch.args];
    return (
      words.includes("mcp") &&
      words.includes("serve") &&
      words.some((word) => /(?:^|[\\/])fairlead(?:\.js)?$/.test(word))
    );
  }
  const url = launch === undefined ? null : URL.parse(launch.url);
  return url !== null && loopback.has(url.hostname) && /^\/mcp(?:\/|$)/.test(url.pathname);
};

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);
