/**
 * The declared connections: in the configuration, in a `.mcp.json`, in the startup script. Read in this order, and each as
 * far as it can be read: an error in one place is reported and takes nothing from the others. Read again, they give a plan; what is not
 * different keeps its connection when that is applied.
 */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { FairleadError, type Host } from "@fairlead/kernel/service";
import { type ConnectionsConfig, toTarget, type UpstreamSettings } from "../config/config.ts";
import { readMcpJson } from "../config/mcp-json.ts";
import { isNested } from "../config/nesting.ts";
import type { Target } from "../machine/target.ts";
import type { ConnectionRegistry } from "../registry/connection-registry.ts";
import { scriptStatus } from "../registry/view.ts";
import type { StartupTools } from "../startup/script-tools.ts";
import { runStartup } from "../startup/startup.ts";
import type { ApprovedTargets } from "../store/approved-targets.ts";
import { type DeclaredUpstream, isSameDeclaration, type PlannedChange, planChanges } from "./plan.ts";

/** The configuration, with the startup script that is to be run. */
export type ResolvedConfig = Omit<ConnectionsConfig, "startup"> & {
  readonly startup: string | undefined;
  /** Another script beside it, which was not named and is not run. */
  readonly ignoredScript: string | undefined;
};

interface DeclarationOptions {
  readonly host: Host;
  readonly registry: ConnectionRegistry;
  /** Filled with what is read. */
  readonly configured: Map<string, Target>;
  /** What a person has turned off is not started. */
  readonly disabled: Pick<Map<string, unknown>, "has" | "delete">;
  readonly approved: ApprovedTargets;
}

/** What a new reading comes to. */
export interface DeclarationPlan {
  readonly changes: readonly PlannedChange[];
  /** What could not be read. Nothing is removed then: it may be what the unread part declares. */
  readonly problems: readonly string[];
}

export interface Declarations {
  /** Resolves when all of it was read, or when that takes too long to wait for. */
  readonly whenRead: Promise<void>;
  /** The files that are read again: not the configuration, which is the kernel's. Empty where there is none. */
  readonly files: { readonly mcpJson: readonly string[]; readonly script: readonly string[] };
  isReading(): boolean;
  /** What could not be followed. */
  problem(): string | undefined;
  /** Reads the files again, and says what is different. Runs the script. */
  plan(): Promise<DeclarationPlan>;
  /** Reads the `.mcp.json` again, and says what is different; of the script it takes what that said when it was last followed. */
  planData(): Promise<DeclarationPlan>;
  /** Does what `plan` says. */
  apply(): Promise<DeclarationPlan>;
}

/** Milliseconds that calls wait for a script that does not end. */
const readTimeoutMs = 5_000;

/** What a script has said. */
type ScriptWord = { readonly add: string; readonly upstream: UpstreamSettings } | { readonly remove: string };

type Take = (name: string, upstream: UpstreamSettings, from: "own" | "foreign") => void;

/** What is read of one place after the other: where its entries go, and how the script sees connections. */
interface ReadTo {
  readonly take: Take;
  readonly tools: Omit<StartupTools, "mcp_add">;
  readonly problems: string[];
  /** Filled with what the script says. */
  readonly said: ScriptWord[];
}

/** Adds what is declared, and waits for nothing. The configuration's own upstreams are there when this returns. */
export const readDeclarations = (
  config: ResolvedConfig,
  { host, registry, configured, approved, disabled }: DeclarationOptions,
): Declarations => {
  const folder = process.cwd();
  const declared = new Map<string, DeclaredUpstream>();
  let problems: string[] = [];
  /** By the script that was followed last. */
  let followed: readonly ScriptWord[] = [];

  const admit = (name: string, known: ReadonlyMap<string, unknown>): void => {
    if (known.has(name) || known.size < config.most) return;
    throw new Error(`${name}: there are ${config.most} connections already; \`most\` says how many there may be`);
  };

  /** Declares it, and connects it where it starts by itself. */
  const put = (name: string, upstream: DeclaredUpstream, from: "own" | "foreign"): void => {
    const target = from === "own" ? upstream.target : approved.check(name, upstream.target);
    declared.set(name, { ...upstream, target });
    configured.set(name, target);
    // One that no call here has a use for would be ended in the middle of its installation.
    if (upstream.starts && !disabled.has(name)) registry.add(name, target, host.stays ? "now" : "called");
  };

  const first: ReadTo = {
    take: (name, upstream, from) => {
      admit(name, configured);
      put(name, toDeclared(upstream, folder), from);
    },
    tools: queryTools(registry),
    problems,
    said: [],
  };

  /** Says again what a script has said. */
  const repeat = ({ take, tools }: ReadTo, words: readonly ScriptWord[]): void => {
    for (const word of words) {
      if ("add" in word) take(word.add, word.upstream, "own");
      else tools.mcp_remove(word.remove);
    }
  };

  const read = async (to: ReadTo, script: "run" | "repeat"): Promise<void> => {
    const attempt = attemptWith(host, to.problems);
    const { upstreams, mcpJson, startup, ignoredScript } = config;
    if (ignoredScript !== undefined) {
      const problem = `${ignoredScript} is not run, for there is ${startup}, too: take one away, or name one with \`startup\``;
      to.problems.push(problem);
      host.log("warn", problem);
    }
    const takeAll = (all: Readonly<Record<string, UpstreamSettings>>, from: "own" | "foreign"): void => {
      for (const [name, upstream] of Object.entries(all)) to.take(name, upstream, from);
    };
    await attempt("not all upstreams of the configuration were added", () => takeAll(upstreams, "own"));
    if (mcpJson !== undefined) {
      await attempt(`not all upstreams of ${mcpJson} were added`, async () => {
        const found = readMcpJson(await readFile(resolve(folder, mcpJson), "utf8"), mcpJson);
        takeAll(found.upstreams, "foreign");
        if (found.wrong !== undefined) throw found.wrong;
      });
    }
    if (script === "repeat") {
      await attempt("not all upstreams of the startup script were added", () => repeat(to, followed));
    } else if (startup !== undefined) {
      const print = (text: string): void => host.log("info", text, { script: startup });
      // The script's words were checked before they come here.
      const add = (name: string, words: unknown): void => {
        const upstream = words as UpstreamSettings;
        to.take(name, upstream, "own");
        to.said.push({ add: name, upstream });
      };
      const remove = (name: string): boolean => {
        to.said.push({ remove: name });
        return to.tools.mcp_remove(name);
      };
      await attempt(`the startup script ${startup} failed`, () =>
        runStartup(resolve(folder, startup), { tools: { ...to.tools, mcp_add: add, mcp_remove: remove }, print }),
      );
    }
  };

  /** The declarations as they are written now; nothing is connected. */
  const readAgain = async (script: "run" | "repeat") => {
    const found = new Map<string, DeclaredUpstream & { readonly from: "own" | "foreign" }>();
    const wrong: string[] = [];
    const said: ScriptWord[] = [];
    const to: ReadTo = {
      take: (name, upstream, from) => {
        admit(name, found);
        found.set(name, { ...toDeclared(upstream, folder), from });
      },
      tools: {
        ...queryTools(registry),
        mcp_remove: (name) => {
          const one = found.get(name);
          if (one !== undefined) found.set(name, { ...one, starts: false });
          return one?.starts === true;
        },
      },
      problems: wrong,
      said,
    };
    await read(to, script);
    const changes = planChanges(declared, found).filter(({ change }) => change !== "removed" || wrong.length === 0);
    return { found, said, plan: { changes, problems: wrong } };
  };

  const takeAway = (name: string): void => {
    const was = declared.get(name);
    const connection = registry.connection(name);
    declared.delete(name);
    // What is not written down any more is not started again by being enabled.
    disabled.delete(name);
    configured.delete(name);
    // One that a caller has led elsewhere is that caller's.
    if (was !== undefined && connection !== undefined && isSameDeclaration(was.target, connection.target)) {
      registry.remove(name);
    }
  };

  const apply = async (): Promise<DeclarationPlan> => {
    const { found, said, plan } = await readAgain("run");
    for (const { name } of plan.changes) {
      const next = found.get(name);
      if (next === undefined || !next.starts) takeAway(name);
      if (next !== undefined) put(name, { target: next.target, starts: next.starts }, next.from);
    }
    problems = [...plan.problems];
    // One that failed half-way has taken nothing back.
    followed = plan.problems.length === 0 ? said : [...followed, ...said];
    return plan;
  };

  const paths = (file: string | undefined) => (file === undefined ? [] : [resolve(folder, file)]);
  const files = { mcpJson: paths(config.mcpJson), script: paths(config.startup) };
  if (isNested(host.env, folder)) {
    const problem = "this kernel was started by one of the same project, and connects to nothing";
    host.log("warn", problem);
    const nothing = async (): Promise<DeclarationPlan> => ({ changes: [], problems: [problem] });
    const never = { whenRead: Promise.resolve(), isReading: () => false, problem: () => problem };
    return { ...never, files: { mcpJson: [], script: [] }, plan: nothing, planData: nothing, apply: nothing };
  }
  let isReading = true;
  const reading = read(first, "run").then(() => {
    followed = first.said;
  });
  const whenRead = Promise.race([reading, sleep(readTimeoutMs, undefined, { ref: false })]).then(() => {
    isReading = false;
  });
  return {
    whenRead: whenRead,
    files,
    isReading: () => isReading,
    problem: () => (problems.length === 0 ? undefined : problems.join("; ")),
    plan: () => reading.then(() => readAgain("run")).then(({ plan }) => plan),
    planData: () => reading.then(() => readAgain("repeat")).then(({ plan }) => plan),
    apply: () => reading.then(apply),
  };
};

const toDeclared = (upstream: UpstreamSettings, folder: string): DeclaredUpstream => ({
  target: toTarget(upstream, folder),
  starts: upstream.start !== false,
});

/** Does the work, and keeps what is wrong with it. */
const attemptWith =
  (host: Host, problems: string[]) =>
  async (failure: string, work: () => void | Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      problems.push(`${failure}: ${why}`);
      // What a person has written down wrong, and no defect of ours: a stack would say nothing.
      host.log("error", failure, { why, ...(cause instanceof FairleadError && { issues: cause.issues }) });
    }
  };

const queryTools = (registry: ConnectionRegistry): Omit<StartupTools, "mcp_add"> => {
  const status = (name: string) => {
    const entry = registry.connection(name);
    return entry === undefined ? undefined : scriptStatus(entry, registry.record(name));
  };
  return {
    mcp_remove: (name) => registry.remove(name),
    mcp_status: status,
    mcp_list: () => registry.names.flatMap((name) => status(name) ?? []),
  };
};
