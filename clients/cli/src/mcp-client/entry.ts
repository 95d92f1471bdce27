/**
 * What an MCP client is given to reach this project's tools: a program that it starts, or an address. Pure.
 *
 * Not here: how a client's file writes it down (`clients.ts`).
 */

export interface ProgramEntry {
  readonly kind: "program";
  /** Absolute: a client has its own PATH, and often another Node. */
  readonly command: string;
  readonly args: readonly string[];
  /** Names of variables that the client passes on. Their values are never written. */
  readonly variables: readonly string[];
}

export interface AddressEntry {
  readonly kind: "address";
  readonly url: string;
  /** Name of the variable that has the bearer token. */
  readonly tokenVariable: string | undefined;
}

export type ServerEntry = ProgramEntry | AddressEntry;

interface EntryChoice {
  readonly services: readonly string[];
  readonly profile: string | undefined;
  readonly readOnly: boolean;
}

interface ProgramPlace {
  /** Absolute path of Node. */
  readonly node: string;
  /** Absolute path of the command's entry. */
  readonly bin: string;
  /** Absolute path of the project's folder. */
  readonly project: string;
  /** Absolute path of the configuration, where one was named. */
  readonly config: string | undefined;
}

/** `fairlead mcp serve`, as it starts from any folder. */
export const programEntry = (
  { services, profile, readOnly }: EntryChoice,
  { node, bin, project, config }: ProgramPlace,
  variables: readonly string[],
): ProgramEntry => ({
  kind: "program",
  command: node,
  args: [
    bin,
    ...["mcp", "serve", ...services, "--stdio", "--cwd", project],
    ...(config === undefined ? [] : ["--config", config]),
    ...(profile === undefined ? [] : ["--profile", profile]),
    ...(readOnly ? ["--read-only"] : []),
  ],
  variables,
});

/** The address of a running kernel; `origin` is without a slash at its end. */
export const addressEntry = (
  { services, profile, readOnly }: EntryChoice,
  origin: string,
  tokenVariable: string | undefined,
): AddressEntry => {
  const [only, ...more] = services;
  const query = new URLSearchParams({
    ...(more.length > 0 && { services: services.join(",") }),
    ...(profile !== undefined && { profile }),
    ...(readOnly && { "read-only": "1" }),
  });
  const path = only !== undefined && more.length === 0 ? `/mcp/${only}` : "/mcp";
  return { kind: "address", url: `${origin}${path}${query.size > 0 ? `?${query}` : ""}`, tokenVariable };
};
