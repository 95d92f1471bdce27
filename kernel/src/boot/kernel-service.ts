/** The kernel as a service: answers its own contract from the instances, the metrics and the events, by the same path as all others. */
import { type Contract, decodeCursor, encodeCursor, type Redactor } from "@fairlead/contracts";
import { kernel } from "@fairlead/contracts/kernel";
import * as z from "zod";
import type { Dispatch } from "../call/call.ts";
import { loadOnce } from "../call/load-once.ts";
import { version } from "../call/version.ts";
import type { AccessSettings } from "../config/tokens/access.ts";
import type { HostedProcedure } from "../dispatch/hosted-procedure.ts";
import type { RelayedTool, Relays } from "../dispatch/relays.ts";
import type { ConsolePage } from "../host/console-page.ts";
import type { ToolEntry } from "../host/manifest.ts";
import { parseSchemaDocument } from "../host/schema-document.ts";
import type { ServiceInstance } from "../host/service-instance.ts";
import type { Events, ReadOptions } from "../observe/event.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { KeptSpan } from "../observe/trace.ts";
import type { NodeStatus } from "../placement/fleet/roster.ts";
import type { RunProblem, RunRefused, Runs } from "../runs/open-runs.ts";
import { type Call, tracked } from "../service/handler.ts";
import { defineService, type Service } from "../service/service.ts";
import type { SelfCheck } from "../service/started-service.ts";
import type { ChildStatus } from "../supervision/child-state.ts";
import type { Supervisor } from "../supervision/supervisor.ts";
import { accessHandlers } from "./access-handlers.ts";

/** What the kernel's service reads. */
interface KernelView {
  readonly instances: ReadonlyMap<string, ServiceInstance>;
  readonly procedures: ReadonlyMap<string, HostedProcedure>;
  readonly relays: Relays;
  readonly metrics: Metrics;
  readonly events: Events;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly supervisor: Pick<Supervisor, "restart" | "status">;
  readonly redactor: Redactor | undefined;
  /** JSON Schema document of a service, from the manifest. */
  readonly schema: (service: string) => Promise<string | undefined>;
  /** Tools of the manifest, as MCP lists them. */
  readonly tools: () => Promise<readonly ToolEntry[]>;
  /** The page that a service's package brings for the console. */
  readonly page: (service: string) => Promise<ConsolePage | undefined>;
  /** Opens what outlives its callers. */
  readonly runs: () => Promise<Runs>;
  /** Processes that answer at its port, and those of its fleet, itself among them; none without NATS. */
  readonly children: () => readonly ChildStatus[];
  readonly nodes: () => readonly NodeStatus[];
  /** Contracts of all services, and where their queries are called: what resources are read with. */
  readonly contracts: () => readonly Contract[];
  readonly dispatch: Dispatch;
  /** Who is let in, as it is configured. */
  readonly access: AccessSettings;
  /** Spans of a trace that are kept. */
  readonly spans: (traceId: string) => readonly KeptSpan[];
}

type KernelProcedures = (typeof kernel)["procedures"];

export const kernelService = (view: KernelView): Service<typeof kernel> => {
  const figures = () => import("../observe/process-figures.ts");
  const resources = loadOnce(async () => (await import("../resources/handlers.ts")).resourceHandlers(view));
  const processWatch = loadOnce(async () => new (await figures()).ProcessWatch());
  return defineService(kernel, () => ({
    children: view.children,
    handlers: {
      services: () => ({ services: sortedInstances(view).map((instance) => describeService(instance, view)) }),

      describe: async ({ service, procedure }, call) => {
        const instance = findInstance(service, view, call);
        const offered = offeredBy(instance, view);
        const described = procedure === undefined ? offered : offered.filter(({ name }) => name === procedure);
        const relayed = relayedBy(instance, view).filter(({ tool }) => procedure === undefined || tool === procedure);
        if (described.length + relayed.length === 0) {
          const known = offered.map(({ name }) => name);
          const hosted = view.procedures.get(`${service}.${procedure}`);
          const why = hosted && instance.off(hosted.name);
          const message =
            why === undefined
              ? "the service has no procedure of that name"
              : `the procedure is switched off: ${instance.redact(why)}`;
          throw call.fail("unknown_procedure", { message }, { known });
        }
        const [schemas, { describeProcedures }] = await Promise.all([
          view.schema(service).then(parseSchemaDocument),
          import("./describe/procedures.ts"),
        ]);
        return {
          service: describeService(instance, view),
          procedures: describeProcedures({ described, relayed, schemas }),
        };
      },

      surfaces: async ({ service }, call) => {
        const instance = findInstance(service, view, call);
        const [tools, { readSurfaces }] = await Promise.all([view.tools(), import("./describe/surfaces.ts")]);
        return readSurfaces(offeredBy(instance, view), { tools, verbs: instance.contract.verbs ?? {} });
      },

      nodes: async () => ({ nodes: (await import("../placement/fleet/list-nodes.ts")).listNodes(view) }),
      restart: ({ service }, call) => {
        const instance = findInstance(service, view, call);
        view.supervisor.restart(service);
        return { service, state: instance.state.tag };
      },

      ping: ({ service }, call) => ({ service, state: findInstance(service, view, call).state.tag }),

      info: async ({ service }, call) => {
        const instance = findInstance(service, view, call);
        const details = await readDetails(instance);
        return { service: describeService(instance, view), details: view.redactor?.json(details) ?? details };
      },

      stats: async ({ service }, call) => {
        const { quantileMs } = await import("../observe/quantile.ts");
        if (service !== undefined) findInstance(service, view, call);
        const procedures = view.metrics
          .list()
          .filter(
            ({ procedure, outcomes }) =>
              outcomes.size > 0 && (service === undefined || procedure.startsWith(`${service}.`)),
          )
          .map((metrics) => {
            const { procedure, outcomes, running, waiting, durations, lastError } = metrics;
            const calls = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
            return {
              procedure,
              kind: view.procedures.get(procedure)?.entry.procedure.kind ?? "query",
              calls,
              failures: calls - (outcomes.get("ok") ?? 0),
              running,
              waiting,
              meanMs: Math.round((durations.seconds / calls) * 1_000_000) / 1_000,
              recent: [1, 5, 60].map((minutes) => {
                const { buckets, ...counts } = metrics.recent(minutes, performance.now());
                const quantile = quantileMs.bind(undefined, buckets);
                return { minutes, ...counts, p50Ms: quantile(0.5), p90Ms: quantile(0.9), p99Ms: quantile(0.99) };
              }),
              lastError: lastError === undefined ? null : { code: lastError.code, at: isoTime(lastError.at) },
            };
          })
          .toSorted((a, b) => a.procedure.localeCompare(b.procedure, "en"));
        return { uptimeMs: Date.now() - view.startedAt, procedures };
      },

      events: async function* ({ types, service: about, after, last, history }, call) {
        const events = view.events.read({
          ...(types !== undefined && { types }),
          ...(about !== undefined && { service: about }),
          ...startingPoint({ after, last, history, lastEventId: call.lastEventId }, view.startedAt),
          signal: call.signal,
        });
        for await (const { start = view.startedAt, seq, at, type, service, data } of events) {
          yield tracked(eventId(start, seq), { seq, at: isoTime(at), type, service, data: toJson(data) });
        }
      },

      trace: async ({ traceId }, call) => {
        const { describeTrace } = await import("../observe/describe-trace.ts");
        const spans = view.spans(traceId);
        if (spans.length > 0) return describeTrace({ spans, redactor: view.redactor });
        throw call.fail("unknown_trace", { message: "no span of that trace is kept" });
      },

      whoami: (_, { principal: { id, access, services } }) => ({
        principal: id,
        access: [...access],
        services: services === undefined ? null : [...services],
      }),
      pages: async () => {
        const found = await Promise.all(sortedInstances(view).map(({ id }) => view.page(id)));
        return {
          pages: found.flatMap((page) => {
            if (page === undefined) return [];
            const { service, title, file } = page;
            return [{ service, title, module: `/console/x/${service}/${encodeURIComponent(file)}` }];
          }),
        };
      },
      process: async () => ({
        version,
        node: process.versions.node,
        pid: process.pid,
        startedAt: isoTime(view.startedAt),
        ...(await processWatch()).read(),
      }),

      ...accessHandlers(view.access, () => sortedInstances(view).map(({ id }) => id)),
      listResources: async (_, call) => (await resources()).listResources(call),
      readResource: async (input, call) => (await resources()).readResource(input, call),
      watchResource: async function* (input, call) {
        yield* (await resources()).watchResource(input, call);
      },
      completeArgument: async (input, call) => (await resources()).completeArgument(input, call),
      recentEvents: async (input) => (await resources()).recentEvents(input),
      startRun: (request, call) => onRuns(view, call, (runs) => runs.start(request, call.principal)),
      listRuns: ({ cursor, pageSize, procedure, state }, call) =>
        onRuns(view, call, async (runs) => {
          const before = cursor === undefined ? undefined : decodeCursor(runPlace, cursor);
          const filters = { ...(procedure !== undefined && { procedure }), ...(state !== undefined && { state }) };
          const query = { ...filters, ...(before !== undefined && { before }), limit: pageSize };
          const { items, next } = await runs.list(query, call.principal);
          return { items, next: next === undefined ? null : encodeCursor(next) };
        }),
      getRun: ({ id }, call) => onRuns(view, call, (runs) => runs.get(id, call.principal)),
      watchRun: async function* ({ id }, call) {
        try {
          const runs = await view.runs();
          for await (const { version, run } of runs.watch(id, call.principal)) yield tracked(String(version), run);
        } catch (cause) {
          throw toDeclared(call, cause);
        }
      },
      cancelRun: ({ id }, call) => onRuns(view, call, (runs) => runs.cancel(id, call.principal)),
      answerRun: ({ id, content, ...answer }, call) =>
        onRuns(view, call, (runs) =>
          runs.answer(id, { ...answer, ...(content !== undefined && { content }) }, call.principal),
        ),
      resumeRun: ({ id }, call) => onRuns(view, call, (runs) => runs.resume(id, call.principal)),
    },
  }));
};

/** The place of a run in the list. */
const runPlace = z.int().min(1);

/** Does it with the runs; what they refuse is what the contract declares. */
const onRuns = async <T>(view: KernelView, call: object, use: (runs: Runs) => Promise<T>): Promise<T> => {
  try {
    return await use(await view.runs());
  } catch (cause) {
    throw toDeclared(call, cause);
  }
};

const runErrors: Readonly<Record<RunProblem, string>> = {
  unknown: "unknown_run",
  over: "over",
  not_over: "not_over",
  answered: "answered",
  not_asked: "not_asked",
  not_running: "over",
  not_startable: "not_startable",
};

/** Its class is loaded with the runs alone. */
const isRefusal = (cause: unknown): cause is RunRefused => cause instanceof Error && cause.name === "RunRefused";

/** Each procedure declares what its change of a run can be refused for; `over` has data. */
const toDeclared = (call: object, cause: unknown): unknown => {
  if (!isRefusal(cause)) return cause;
  const { fail } = call as { fail(reason: string, text: { readonly message: string }, data?: unknown): Error };
  const reason = runErrors[cause.problem];
  const data = reason === "over" ? { state: cause.state } : undefined;
  return Reflect.apply(fail, call, [reason, { message: cause.message }, data]);
};

/** Numbers begin again with each start of the kernel, so an id names the start, too. */
const eventId = (startedAt: number, seq: number): string => `${startedAt.toString(36)}-${seq}`;

interface Resumption {
  readonly lastEventId: string | undefined;
  readonly after: number | undefined;
  readonly last: number | undefined;
  readonly history: boolean | undefined;
}

/** Where a reader goes on: after its last event, if it had one; with what is stored, if it asks for that; or as it says. */
const startingPoint = (
  { lastEventId, after, last, history }: Resumption,
  startedAt: number,
): Pick<ReadOptions, "after" | "earlier" | "last"> => {
  if (lastEventId === undefined) {
    if (last !== undefined) return { after: 0, last };
    if (history === true) return { earlier: { start: 0, seq: 0 } };
    return after === undefined ? {} : { after };
  }
  const [startText = "", seqText = ""] = lastEventId.split("-");
  const [start, seq] = [Number.parseInt(startText, 36), Number(seqText)];
  if (start === startedAt && Number.isSafeInteger(seq)) return { after: seq };
  // An id that no kernel has written: nothing is known of it, and everything may have been missed.
  return { earlier: Number.isSafeInteger(start) && Number.isSafeInteger(seq) ? { start, seq } : { start: 0, seq: 0 } };
};

const isoTime = (milliseconds: number): string => new Date(milliseconds).toISOString();

/** What a service reports, as plain JSON: dates become text, functions and `undefined` go. */
const toJson = (data: Readonly<Record<string, unknown>>): Record<string, never> => JSON.parse(JSON.stringify(data));

/** What a service says about itself. A member that throws, or gives what is not JSON, is a check that failed; the rest is shown. */
const readDetails = async ({ running }: ServiceInstance): Promise<Record<string, never>> => {
  const failed: SelfCheck[] = [];
  const ask = async <T>(name: "info" | "checks", question: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      const answer = await question();
      JSON.stringify(answer);
      return answer;
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      failed.push({ name, ok: false, detail: `the service's \`${name}\` throws: ${why}`, fix: "fix the service" });
      return undefined;
    }
  };
  const info = await ask("info", () => running?.info?.());
  const checks = await ask("checks", () => running?.checks?.());
  const all = checks === undefined && failed.length === 0 ? undefined : [...(checks ?? []), ...failed];
  return toJson({ ...info, ...(all !== undefined && { checks: all }) });
};

const sortedInstances = (view: KernelView): readonly ServiceInstance[] =>
  [...view.instances.values()].toSorted((a, b) => (a.id < b.id ? -1 : 1));

const findInstance = (service: string, view: KernelView, call: Call<KernelProcedures["ping"]>): ServiceInstance => {
  const instance = view.instances.get(service);
  if (instance !== undefined) return instance;
  throw call.fail(
    "unknown_service",
    { message: "no service of that id is loaded" },
    { known: [...view.instances.keys()].toSorted() },
  );
};

const offeredBy = (instance: ServiceInstance, view: KernelView): readonly HostedProcedure[] =>
  [...view.procedures.values()]
    .filter((target) => target.instance === instance && instance.off(target.name) === undefined)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

const relayedBy = (instance: ServiceInstance, view: KernelView): readonly RelayedTool[] =>
  instance.relayedTools().flatMap(({ name }) => view.relays.find(`${instance.id}.${name}`) ?? []);

const describeService = (instance: ServiceInstance, view: KernelView) => {
  const { condition, contract } = instance;
  const status = view.supervisor.status(instance.id);
  return {
    id: instance.id,
    version: contract.version,
    summary: contract.summary,
    state: instance.state.tag,
    since: isoTime(instance.state.since),
    waitsFor: instance.waitsFor ?? null,
    nextStartAt: instance.state.tag === "Backoff" ? isoTime(instance.state.until) : null,
    degraded: condition.state === "degraded" ? { why: condition.why, fix: condition.fix } : null,
    procedures: offeredBy(instance, view).length,
    restarts: status?.restarts ?? 0,
    children: (status?.children ?? []).map(({ id, restarts, state, pid }) => ({
      id,
      state: state.tag,
      since: isoTime(state.since),
      restarts,
      pid: pid ?? null,
    })),
  };
};
