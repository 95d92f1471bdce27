/**
 * What runs in a process that does not know this package, around the code of a question: its roots as a host, and how values
 * become a reply. It keeps nothing of a question.
 */

import { Script } from "node:vm";
import {
  type Code,
  dynamic,
  executeQuery,
  Frame,
  type HostAccess,
  LinqError,
  locateInText,
  locateStepsInPart,
  locateStepsInText,
  type QueryCode,
  type QueryOutline,
  type Resumable,
  readRows,
  runCode,
  type Type,
} from "@fairlead/linq";
import type { Limits } from "@fairlead/linq/limits";
import { withinBytes, writeJson } from "../answer/json-text.ts";
import { type AllowedPause, withPause } from "../answer/pause.ts";
import { type ExploreOptions, Presenter } from "../answer/present.ts";
import { toFailedReply } from "../answer/problem.ts";
import { inParts, type ReplyPart } from "../answer/reply-parts.ts";
import { SliceClock } from "../answer/slice-clock.ts";
import { createSlices } from "../answer/slices.ts";
import { ClassTests } from "../explore/class-test.ts";
import { EngineCalls } from "../explore/engine-calls.ts";
import { EngineSession } from "../explore/engine-session.ts";
import type { InstancesInfo, SearchInfo, TypeInfo } from "../explore/shape.ts";
import { exploreTypes, type TypeTarget } from "../explore/type-target.ts";
import { V8View } from "../explore/v8-view.ts";
import { hostAccess } from "../host/access.ts";
import { NameReader } from "../host/names.ts";
import { createRedaction, type RedactionOptions } from "../host/redaction.ts";
import { Registry } from "../host/registry.ts";
import { runWithTimeLimit } from "../host/time-limit.ts";
import type { ToolName } from "../protocol/message.ts";

interface RemoteRun {
  readonly host: HostAccess;
  readonly limits: Limits;
  readonly frame: Frame;
  readonly clock: SliceClock;
  readonly presenter: Presenter;
  /** Answers what is asked of types; every root of its host ends. */
  readonly types: (target: TypeTarget, options: ExploreOptions) => Resumable<TypeInfo | SearchInfo | InstancesInfo>;
  /** Presents the roots: one that does not end is a line of the answer. */
  readonly lister: Presenter;
  /** Tests by the names of classes, which say at the end what was mistyped. */
  readonly classes: ClassTests;
  /** Where the caller allowed one. */
  readonly pause: AllowedPause | undefined;
  close(): void;
}

interface RunOptions {
  readonly redact: RedactionOptions;
  /** True when the caller allows what stops the program. */
  readonly allowsPause: boolean;
  /** What happens to getters and methods of undeclared classes. */
  readonly calls: "refused" | "checked";
}

/** A text of a question with what it became. */
interface RemoteCode {
  readonly text: string;
  readonly type: Type;
  readonly code: Code;
}

/** The roots of a question; each is read when it is needed. */
export const openRemoteRun = (
  roots: Readonly<Record<string, () => unknown>>,
  limits: Limits,
  { redact, allowsPause, calls }: RunOptions,
): RemoteRun => {
  const redaction = createRedaction(redact);
  const registry = new Registry([]);
  const named = Object.entries(roots).map(([name, read]) => ({
    name,
    type: dynamic,
    read: () => readRoot(name, read),
  }));
  const names = new NameReader({ isAllowed: allowsPause });
  const engine = new EngineSession();
  const access = { registry, roots: named, now: () => Date.now(), limits, redaction, names };
  const classes = new ClassTests();
  const reads = hostAccess({ ...access, calls: calls === "checked" ? new EngineCalls(engine) : undefined });
  const host = { ...reads, classTest: classes.test };
  const hidden = new V8View({ hides: redaction.hides, names, engine });
  const clock = new SliceClock();
  const elapsed = (): number => clock.elapsed();
  const shown = { registry, limits, elapsed, hidden, budget: clock };
  const share = Math.ceil(limits.wallMs / (2 * Math.max(1, named.length)));
  const ending = named.map((root) => ({ ...root, read: () => runWithTimeLimit(share, root.read) }));
  // What is asked of types looks at many objects, and runs nothing of them.
  const listed = { ...shown, host: { ...hostAccess(access), roots: ending } };
  return {
    host,
    limits,
    types: (target, options) => exploreTypes(target, options, listed),
    frame: new Frame(limits, clock, clock),
    clock,
    presenter: new Presenter({ ...shown, host }),
    lister: new Presenter(listed),
    classes,
    pause: allowsPause ? { names, clock } : undefined,
    close: () => engine.close(),
  };
};

const readRoot = (name: string, read: () => unknown): unknown => {
  try {
    return read();
  } catch {
    const hint = "see `roots` in the inspector's configuration";
    throw new LinqError("not_readable", `The expression of the root '${name}' fails in the process`, {
      position: 0,
      hint,
    });
  }
};

/** The reply to a question as JSON, failures included. */
const writeReply = function* (tool: ToolName, run: RemoteRun, work: () => Resumable<unknown>): Resumable<string> {
  try {
    const answer = yield* work();
    const value = run.pause === undefined ? answer : withPause(tool, answer, run.pause);
    return yield* writeJson({ id: 0, ok: true, value }, run.clock);
  } catch (error) {
    return JSON.stringify(toFailedReply(error, { id: 0, tool }));
  } finally {
    run.close();
  }
};

const runText = function* ({ text, type, code }: RemoteCode, { frame }: RemoteRun) {
  return { value: yield* locateStepsInText(text, () => runCode(code, frame)), type };
};

/** A class that no tested value has, and that is near to one that they have: a value would not say so, the rows of a query have a note. */
const refuseMistyped = ({ classes }: RemoteRun, text: string): void => {
  const [hint] = classes.hints();
  if (hint !== undefined)
    throw new LinqError("unknown_type", `Of the classes that are named, ${hint}`, {
      position: 0,
      text,
      hint: "`type:` shows a class",
    });
};

export const replyToEval = (run: RemoteRun, code: RemoteCode, depth: number): Resumable<string> =>
  writeReply("eval", run, function* () {
    const found = yield* runText(code, run);
    refuseMistyped(run, code.text);
    return yield* run.presenter.value(found, code.text, depth);
  });

export const replyToExplore = (run: RemoteRun, code: RemoteCode, options: ExploreOptions): Resumable<string> =>
  writeReply("explore", run, function* () {
    const answer = yield* run.presenter.live(yield* runText(code, run), code.text, options);
    return yield* withinBytes(answer, run.limits.resultBytes, run.clock);
  });

export const replyWithRoots = (run: RemoteRun, options: ExploreOptions): Resumable<string> =>
  writeReply("explore", run, function* () {
    return yield* withinBytes(yield* run.lister.roots(options), run.limits.resultBytes, run.clock);
  });

export const replyWithTypes = (run: RemoteRun, target: TypeTarget, options: ExploreOptions): Resumable<string> =>
  writeReply("explore", run, function* () {
    return yield* withinBytes(yield* run.types(target, options), run.limits.resultBytes, run.clock);
  });

interface RemoteQuery extends QueryCode {
  readonly from: RemoteCode;
  readonly outline: QueryOutline;
  /** Rows that the caller asked for. */
  readonly requestedRows: number | undefined;
}

export const replyToQuery = (run: RemoteRun, { from, requestedRows, ...query }: RemoteQuery): Resumable<string> =>
  writeReply("query", run, function* () {
    const { host, frame, presenter } = run;
    const rows = yield* locateStepsInPart("from", function* () {
      const { value, type } = yield* runText(from, run);
      return locateInText(from.text, () => readRows(value, type, host, frame));
    });
    const result = yield* executeQuery({ ...query, host, frame, rows });
    const missing = [...(result.missing ?? []), ...run.classes.hints()];
    return yield* presenter.rows({ ...result, missing }, requestedRows);
  });

/** A reply while it is made, as it is reached through the debugger's protocol. */
interface RunningReply {
  /** Runs a slice; the next part of the text once there is one. */
  readonly next: (ms: number) => ReplyPart;
  /** Closes what the reply opened in the process, whether it was finished or not. Nothing runs after it. */
  readonly end: () => void;
}

/** Starts a reply: nothing of it runs before its first slice. A step that does not end is ended after `holdMs`. */
export const startReply = (
  run: RemoteRun,
  work: Resumable<string>,
  { tool, holdMs }: { readonly tool: ToolName; readonly holdMs: number },
): RunningReply => {
  const failed = (error: LinqError): string => JSON.stringify(toFailedReply(error, { id: 0, tool }));
  const end = (): void => {
    try {
      work.return("");
    } finally {
      // Work that was ended by its time has not closed it.
      run.close();
    }
  };
  return { ...inParts(createSlices(work, { clock: run.clock, holdMs, failed })), end };
};

/** The source of a question there, run as a script of its own: its roots see nothing of ours. */
export const openQuestion = (source: string, library: unknown): RunningReply => {
  const open = new Script(source).runInThisContext() as (library: unknown) => RunningReply;
  return open(library);
};
