/**
 * The checks of `fairlead doctor`: one function each, independent of the others. A row says what was found and, where that is a problem,
 * the command that fixes it. Not here: the services (`services.ts`).
 */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join, resolve } from "node:path";
import { isWireError } from "@fairlead/contracts";
import type { Config, Containment } from "@fairlead/kernel";
import { unsetVariables } from "../command/config-file.ts";
import type { Context } from "../command/context.ts";
import { CommandError } from "../command/failure.ts";
import { genOptions } from "../command/gen-config.ts";
import { findOwner, statePlace } from "../owner/place.ts";
import { type Check, type CheckRow, ok } from "./row.ts";
import { services } from "./services.ts";

const node: Check = async () => [ok("node", `${process.versions.node} at ${process.execPath}`)];

const configuration: Check = async (context) => {
  const { path } = await context.configFile();
  const config = await readProjectConfig(context);
  const { folder } = await statePlace(context);
  const file = ok("configuration", path ?? "no file, so the defaults apply");
  return [file, ...variablesRow(path, context), await portRow(config, folder)];
};

const variablesRow = (path: string | undefined, { io }: Context): readonly CheckRow[] => {
  const unset = path === undefined ? [] : unsetVariables(path, io.env);
  if (unset.length === 0) return [];
  const detail = `the configuration reads ${unset.join(", ")}, not set in this shell`;
  const fix = "set what a kernel started here needs; commands that use a running kernel do not";
  return [{ check: "variables", result: "warning", detail, fix }];
};

const readProjectConfig = async (context: Context): Promise<Config> => {
  const { readConfig } = await import("@fairlead/kernel");
  const { value } = await context.configFile();
  return readConfig({ file: value, env: context.io.env });
};

const portRow = async ({ host, port }: Config, stateFolder: string): Promise<CheckRow> => {
  const address = `${host}:${port}`;
  const code = await listenOnce(host, port);
  if (code === undefined) return ok("port", `${address} is free`);
  if (code !== "EADDRINUSE") {
    return {
      check: "port",
      result: "failed",
      detail: `${address} cannot be bound (${code})`,
      fix: "set another `host` or `port` in the configuration",
    };
  }
  const { state, record } = await findOwner(stateFolder);
  if (state !== "free" && record?.url !== undefined && record.url !== null && portIn(record.url) === port)
    return ok("port", `this project's kernel (pid ${record.pid}) listens on ${address}`);
  const version = await versionAt(`http://${address}/version`);
  return {
    check: "port",
    result: "failed",
    detail:
      version === undefined
        ? `${address} is taken by another program`
        : `${address} is taken by a Fairlead kernel of another project or folder (${version})`,
    fix: "stop it, or run `fairlead up` with another `port`, like --port 0",
  };
};

const portIn = (url: string): number => Number(new URL(url).port);

/** Binds and lets go; the system's code when it could not. */
const listenOnce = (host: string, port: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error) => resolve("code" in error ? String(error.code) : error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });

const versionAt = async (url: string): Promise<string | undefined> => {
  try {
    const answer: unknown = await (await fetch(url, { signal: AbortSignal.timeout(1_000) })).json();
    if (isRefusal(answer)) return "its version needs a token";
    const version = typeof answer === "object" && answer !== null && "version" in answer ? answer.version : undefined;
    return typeof version === "string" ? version : undefined;
  } catch {
    return undefined;
  }
};

/** The kernel that commands of this shell go to, where one is named. */
const addressed: Check = async ({ url }) => {
  if (url === undefined) return [];
  const version = await versionAt(new URL("/version", url).href);
  if (version !== undefined) return [ok("kernel", `a Fairlead kernel answers at ${url} (${version})`)];
  const fix = "start it with `fairlead up`, or correct --url or FAIRLEAD_URL";
  return [{ check: "kernel", result: "failed", detail: `no Fairlead kernel answers at ${url}`, fix }];
};

/** How a Fairlead kernel says that it wants a token. */
const isRefusal = (answer: unknown): boolean =>
  typeof answer === "object" &&
  answer !== null &&
  "type" in answer &&
  answer.type === "urn:fairlead:error:unauthenticated";

/** The kernel's own file in the state folder, where there is one. */
const storedState = async (folder: string): Promise<readonly CheckRow[]> => {
  const { examineState } = await import("@fairlead/kernel");
  const { problem, aside } = await examineState(join(folder, "kernel"));
  const check = "stored answers";
  return [
    ...(problem === undefined
      ? []
      : [
          {
            check,
            result: "failed" as const,
            detail: problem,
            fix: `see to the disk of ${folder}; a damaged file is put aside at the next start`,
          },
        ]),
    ...aside.map((path) => ({
      check,
      result: "warning" as const,
      detail: `${path} was damaged and put aside: repeats of calls whose answers were in it run again`,
      fix: "read out of it what you need, then remove it",
    })),
  ];
};

const state: Check = async (context) => {
  const { folder } = await statePlace(context);
  const existing = nearestFolder(folder);
  try {
    accessSync(existing, constants.W_OK | constants.X_OK);
    return [
      ok("state folder", existing === folder ? folder : `${folder}, created when needed`),
      await ownerRow(folder),
      ...(await storedState(folder)),
    ];
  } catch {
    return [
      {
        check: "state folder",
        result: "failed",
        detail: `${existing} is not writable`,
        fix: "set `stateDir` in the configuration to a writable folder",
      },
    ];
  }
};

/** Who owns the folder. That another process does is not a problem: commands use its kernel. */
const ownerRow = async (folder: string): Promise<CheckRow> => {
  const check = "owner of the state";
  const found = await findOwner(folder);
  if (found.state === "free") return ok(check, "none: no kernel runs");
  const { howToTakeOver, ownerName } = await import("../owner/words.ts");
  if (found.state !== "unreachable") return ok(check, `${ownerName(found)}, ${found.state}`);
  return { check, result: "warning", detail: `${ownerName(found)} does not answer`, fix: howToTakeOver(found, folder) };
};

const nearestFolder = (folder: string): string => {
  let at = folder;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return at;
};

/** PostgreSQL and NATS, where the configuration names them. */
const outside: Check = async (context) => {
  const { examineOutside } = await import("@fairlead/kernel");
  const looks = await examineOutside(await readProjectConfig(context), context.io.env);
  const rows: CheckRow[] = [];
  for (const [check, look] of Object.entries(looks)) {
    try {
      const { detail, problems } = await look();
      if (problems.every(({ isFatal }) => !isFatal)) rows.push(ok(check, detail));
      for (const { isFatal, ...problem } of problems)
        rows.push({ check, result: isFatal ? "failed" : "warning", ...problem });
    } catch (error) {
      rows.push({ check, result: "failed", ...failureRow(error) });
    }
  }
  return rows;
};

const tokenFile: Check = async (context) => {
  const path = context.tokenFile;
  if (path === undefined) return [];
  const mode = statSync(path).mode & 0o077;
  if (mode === 0) return [ok("token file", path)];
  return [{ check: "token file", result: "failed", detail: `${path} can be read by others`, fix: `chmod 600 ${path}` }];
};

const generated: Check = async (context) => {
  const options = await genOptions(context);
  const check = "generated code";
  const { value } = await context.configFile();
  const { root, config } = options;
  // Elsewhere `fairlead gen` would write into a folder that is not a project.
  if (value.gen === undefined && !config.contracts.some((folder) => existsSync(resolve(root, folder)))) {
    return [
      ok(check, "nothing to generate: the configuration has no `gen` section and there is no `contracts` folder"),
    ];
  }
  const { checkDrift } = await import("@fairlead/codegen");
  const { ok: sound, drift, diagnostics } = await checkDrift(options);
  if (!sound) {
    const errors = diagnostics.filter(({ severity }) => severity === "error").length;
    return [
      { check, result: "failed", detail: `${errors} errors in the contracts`, fix: "run `fairlead gen` to see them" },
    ];
  }
  if (drift.length === 0) return [ok(check, "up to date")];
  return [
    { check, result: "failed", detail: `${drift.length} files differ from the contracts`, fix: "run `fairlead gen`" },
  ];
};

/** What holds the descendants of subprocesses when the kernel dies, and what subprocesses can be denied. */
const containment: Check = async () => {
  const { probeContainment } = await import("@fairlead/kernel");
  const { kind, commands, denials, detail, fix = "" } = await probeContainment();
  const own = commands === "cgroup" ? "control groups" : "process groups";
  return [
    kind === "group"
      ? { check: "orphan containment", result: "warning", detail: `process groups only: ${detail}`, fix }
      : ok("orphan containment", `${kind}: ${detail}; your own commands are contained by ${own}`),
    denialRow(denials),
  ];
};

/** A service may deny its subprocess the network or writing; where the system cannot, the subprocess starts all the same. */
const denialRow = (denials: Containment["denials"]): CheckRow => {
  const check = "subprocess sandbox";
  const all: Containment["denials"] = ["network", "writing"];
  const missing = all.filter((one) => !denials.includes(one));
  if (missing.length === 0) return ok(check, `can deny ${denials.join(" and ")}`);
  const fix =
    process.platform === "linux" ? "install util-linux 2.32 or newer and allow unprivileged user namespaces" : "";
  return { check, result: "warning", detail: `cannot deny ${missing.join(" and ")}`, fix };
};

const checks: readonly (readonly [name: string, check: Check])[] = [
  ["node", node],
  ["configuration", configuration],
  ["kernel", addressed],
  ["state folder", state],
  ["store and NATS", outside],
  ["token file", tokenFile],
  ["generated code", generated],
  ["containment", containment],
  ["services", services],
];

/** Runs every check; one that throws is a failed row, never the end of the others. */
export const runChecks = async (context: Context): Promise<readonly CheckRow[]> => {
  const rows: CheckRow[] = [];
  for (const [name, check] of checks) {
    try {
      rows.push(...(await check(context)));
    } catch (error) {
      rows.push({ check: name, result: "failed", ...failureRow(error) });
    }
  }
  return rows;
};

const failureRow = (error: unknown): { readonly detail: string; readonly fix: string } => {
  const message = error instanceof Error ? error.message : String(error);
  const issues = isWireError(error) || error instanceof CommandError ? (error.issues ?? []) : [];
  const detail = [message, ...issues.map(({ path, expected, fix }) => `${path}: expected ${expected}; ${fix}`)].join(
    "; ",
  );
  const hint = error instanceof CommandError || (error instanceof Error && "hint" in error) ? error.hint : undefined;
  return { detail, fix: typeof hint === "string" ? hint : "" };
};
