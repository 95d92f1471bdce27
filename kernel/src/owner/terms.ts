/**
 * Which state folder a project has, and what must be the same for two processes to share its owner. Pure.
 */
import { createHash } from "node:crypto";
import { basename, join } from "node:path";

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * The state folder of a project below the user's own, named by the project's root: readable first, unique by its digest. Without a project,
 * the user's own.
 */
export const projectStateFolder = (userFolder: string, projectRoot: string | undefined): string => {
  if (projectRoot === undefined) return userFolder;
  const name =
    basename(projectRoot)
      .replace(/[^\w.-]+/g, "-")
      .slice(0, 40) || "root";
  return join(userFolder, "projects", `${name}-${digest(projectRoot).slice(0, 12)}`);
};

export interface ConfigurationSource {
  /** Folder that the services work in. */
  readonly folder: string;
  /** What the configuration file exports. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Settings of the process and of its network: two processes may differ in these and still have the same services. */
const ownSettings: ReadonlySet<string> = new Set([
  "host",
  "port",
  "hosts",
  "origins",
  "tokens",
  "lagMs",
  "log",
  "otlp",
  "gen",
  "stateDir",
]);

/** Variables that choose or change services. */
const serviceVariables = ["FAIRLEAD_ONLY", "FAIRLEAD_MANIFEST", "WITHIN_FAIRLEAD"] as const;

/** A digest of all that makes services differ. */
export const configurationDigest = ({ folder, value, env }: ConfigurationSource): string => {
  const settings = Object.entries(value).filter(([key]) => !ownSettings.has(key));
  const variables = serviceVariables.map((name) => [name, env[name] ?? null]);
  return digest(JSON.stringify([folder, sorted(Object.fromEntries(settings)), variables])).slice(0, 32);
};

/** The same value with the members of its objects in one order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return typeof value === "function" ? String(value) : value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
};
