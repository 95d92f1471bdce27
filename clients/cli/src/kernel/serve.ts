/** What the commands that let a kernel listen have in common: its port, where it is, and why it cannot. */
import type { Addresses } from "@fairlead/kernel";
import type { Context } from "../command/context.ts";
import { UsageError } from "../command/failure.ts";

export const parsePort = (given: string | undefined): number | undefined => {
  if (given === undefined) return undefined;
  if (/^\d{1,5}$/.test(given) && Number(given) <= 65_535) return Number(given);
  throw new UsageError(
    `--port takes a whole number from 0 to 65535, not ${JSON.stringify(given)}`,
    "0 lets the system choose",
  );
};

export const parseWorkers = (given: string | undefined): number | "auto" | undefined => {
  if (given === undefined || given === "auto") return given;
  if (/^\d{1,3}$/.test(given) && Number(given) >= 1 && Number(given) <= 256) return Number(given);
  throw new UsageError(
    `--workers takes a whole number from 1 to 256 or auto, not ${JSON.stringify(given)}`,
    "leave it out to run everything in one process",
  );
};

/** The setting that `--nats` gives. */
export const parseServers = (given: string | undefined): { readonly servers?: readonly string[] } =>
  given === undefined ? {} : { servers: given.split(",").map((server) => server.trim()) };

/** The settings that `--place` gives. */
export const parsePlace = (
  given: string | undefined,
): { readonly place: number; readonly places: number } | undefined => {
  if (given === undefined) return undefined;
  const [, place = "", places = ""] = /^(\d{1,4})\/(\d{1,4})$/.exec(given) ?? [];
  if (Number(place) >= 1 && Number(place) <= Number(places)) return { place: Number(place), places: Number(places) };
  throw new UsageError(
    `--place takes a place and how many there are, like 1/3, not ${JSON.stringify(given)}`,
    "all kernels and workers of a fleet have the same number of places",
  );
};

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    // What listens or is connected keeps the process alive meanwhile.
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

/** An address that needs a token, and an unreadable token file, are wrong usage. */
export const rethrowAsUsage = async (error: unknown): Promise<never> => {
  const { isWireError } = await import("@fairlead/contracts");
  if (!isWireError(error) || error.code !== "failed_precondition" || error.issues === undefined) throw error;
  if (!error.issues.some(({ path }) => path === "host"))
    throw new UsageError(error.message, error.hint, { cause: error });
  const hint = "make a token with `fairlead token create`, set FAIRLEAD_TOKEN, or use --host 127.0.0.1";
  throw new UsageError(error.message, hint, { cause: error });
};

const titles: Readonly<Record<string, string>> = {
  http: "HTTP   ",
  trpc: "tRPC   ",
  mcp: "MCP    ",
  openapi: "OpenAPI",
  console: "Console",
};

export const printAddresses = (context: Context, { admin, port, ...addresses }: Addresses): void =>
  context.print({ ...addresses, admin, port, pid: process.pid }, () =>
    Object.entries(addresses)
      .map(([name, url]) => `${context.paint("bold", titles[name] ?? name)} ${url}`)
      .join("\n"),
  );
