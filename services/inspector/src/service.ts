/**
 * The inspector service: three read-only tools over live objects: the simulated world in a worker, this process, or another one. Here
 * questions are passed on and failures become declared errors.
 */
import inspector from "@fairlead/contracts/inspector";
import { type Call, defineService, type FairleadError } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import type { Targets } from "./attach/targets.ts";
import { type InspectorConfig, inspectorConfig } from "./config.ts";
import type { Json } from "./encode/encode.ts";
import type { ToolAnswer, ToolBackend } from "./protocol/backend.ts";
import type { ExpressionProblem, ToolName } from "./protocol/message.ts";
import type { CallerAnswers } from "./reply/caller-answers.ts";

type InspectorCall = Call<(typeof inspector)["procedures"]["explore"]>;

/** Problems that are a limit reached, not a mistake in the text. */
const limits: ReadonlySet<string> = new Set([
  "fuel_exhausted",
  "deadline",
  "text_too_long",
  "too_many_items",
  "result_too_large",
  "pause_needed",
]);

const parts = ["target", "expr", "from", "where", "select", "orderBy", "groupBy", "having"] as const;

const failure = (problem: ExpressionProblem, call: InspectorCall): FairleadError => {
  const { code, message, position, length, caret, hint } = problem;
  const part = parts.find((known) => known === problem.part) ?? "expr";
  const text = {
    message: caret === "" ? `${part}: ${message}` : `${part}: ${message}\n${caret}`,
    ...(hint === undefined ? {} : { hint }),
  };
  if (limits.has(code)) return call.fail("too_expensive", text, { problem: code, part });
  return call.fail("bad_expression", text, { part, problem: code, position, length, caret });
};

const resolveAnswer = (answer: ToolAnswer, call: InspectorCall): unknown => {
  switch (answer.kind) {
    case "value":
      return answer.value;
    case "problem":
      throw failure(answer.problem, call);
    case "busy":
      throw call.fail("too_busy", {
        message: `Other calls took all of the ${answer.waitedMs} ms that a call may wait`,
      });
    case "gone":
      throw call.fail("not_reachable", { message: `No answer: ${answer.why}` });
    case "defect":
      throw new Error(answer.detail);
  }
};

const openBackend = async ({ source, world, limits: wanted }: InspectorConfig): Promise<ToolBackend> => {
  switch (source.kind) {
    case "simulated": {
      const { createWorldPool } = await import("./simulated/worker-pool.ts");
      return createWorldPool({ ...world, limits: wanted });
    }
    case "registered": {
      const { RegisteredRoots } = await import("./registered/registered-roots.ts");
      return new RegisteredRoots({ ...source, limits: wanted });
    }
    case "process": {
      // It has the language with it, which the others have in a thread or a program of their own.
      const { RemoteProcess } = await import("./remote/remote-process.ts");
      return new RemoteProcess({ ...source, limits: wanted });
    }
  }
};

/** The target `diff:` with a handle that is not kept. */
const unknownHandle = (call: InspectorCall): FairleadError => {
  const data = { part: "target", problem: "unknown_handle", position: 5, length: 0, caret: "" } as const;
  const text = {
    message:
      "target: No answer of that handle is kept; your last 16 answers of explore and query are, below 64 kB each",
    hint: "ask the question again, and use the `handle` of its answer",
  };
  return call.fail("bad_expression", text, data);
};

/** A backend whose code is loaded for the first question: a server that only lists its tools needs none of it. */
const openAtFirstQuestion = (settings: InspectorConfig): ToolBackend => {
  let opening: Promise<ToolBackend> | undefined;
  return {
    ask: async (tool, input, signal) => {
      opening ??= openBackend(settings);
      return (await opening).ask(tool, input, signal);
    },
    close: async () => {
      await (await opening)?.close();
    },
  };
};

/** The configured source, in front of which programs come that are attached. */
const openSources = (settings: InspectorConfig) => {
  const configured = openAtFirstQuestion(settings);
  let opening: Promise<Targets> | undefined;
  const openTargets = async (): Promise<Targets> => {
    const { Targets: Programs } = await import("./attach/targets.ts");
    const { limits: wanted, attach } = settings;
    return new Programs({ ...attach, limits: wanted, now: () => Date.now() }, configured);
  };
  return {
    targets: (): Promise<Targets> => {
      opening ??= openTargets();
      return opening;
    },
    ask: async (...question: Parameters<ToolBackend["ask"]>) =>
      (opening === undefined ? configured : await opening).ask(...question),
    close: async () => (opening === undefined ? configured : await opening).close(),
  };
};

export default defineService(
  inspector,
  ({ config: settings }) =>
    Effect.gen(function* () {
      const asker = yield* Effect.acquireRelease(
        Effect.sync(() => openSources(settings)),
        (running) => Effect.promise(() => running.close()),
      );
      let opening: Promise<CallerAnswers> | undefined;
      /** Its code, as that of a backend, is loaded for the first question. */
      const openAnswers = async (): Promise<CallerAnswers> => {
        const { CallerAnswers: Answers } = await import("./reply/caller-answers.ts");
        return new Answers(settings.maxTokens);
      };
      /** The named boundary: the worker's answers have the contract's shape, which dispatch checks. */
      const askProgram = async (tool: ToolName, input: unknown, call: InspectorCall): Promise<Json> =>
        resolveAnswer(await asker.ask(tool, input, call.signal), call) as Json;
      const ask = async <T>(tool: ToolName, input: Readonly<Record<string, unknown>>, call: unknown): Promise<T> => {
        const inspectorCall = call as InspectorCall;
        const { principal } = inspectorCall;
        const asking = (asked: ToolName, text: unknown) => askProgram(asked, text, inspectorCall);
        opening ??= openAnswers();
        const answer = await (await opening).answer({ tool, input, caller: principal.id, ask: asking });
        if (answer === undefined) throw unknownHandle(inspectorCall);
        return answer as T;
      };
      return {
        handlers: {
          explore: (input, call) => ask("explore", input, call),
          eval: (input, call) => ask("eval", input, call),
          query: (input, call) => ask("query", input, call),
          watch: async function* ({ everyMs, on, ...input }, call) {
            const read = () => askProgram("eval", input, call as unknown as InspectorCall);
            const { watchValue } = await import("./reply/watch.ts");
            // The named boundary: its events are JSON of the contract's shape, which dispatch checks.
            yield* watchValue(read, { everyMs, on, signal: call.signal }) as AsyncIterable<never>;
          },
          attach: async ({ pid, calls }, call) => {
            const { asOwner } = await import("./attach/failures.ts");
            return asOwner(call, async () => (await asker.targets()).attach(pid, calls));
          },
          detach: async ({ pid }, call) => {
            const { asOwner } = await import("./attach/failures.ts");
            return asOwner(call, async () => ({ detached: await (await asker.targets()).detach(pid) }));
          },
          heap: async ({ class: wanted, ...input }, call) => {
            const { asOwner } = await import("./attach/failures.ts");
            return asOwner(call, async () => (await asker.targets()).heap({ ...input, wanted }));
          },
          targets: async () => ({ targets: (await asker.targets()).list() }),
        },
        info: () => ({ source: settings.source.kind }),
      };
    }),
  { config: inspectorConfig },
);
