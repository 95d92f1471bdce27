/**
 * What runs in a process that does not know this package, around the code of a question: its roots as a host, and how values
 * become a reply. It keeps nothing of a question.
 */

import {
  type Code,
  dynamic,
  executeQuery,
  Frame,
  type HostAccess,
  LinqError,
  locateInPart,
  locateInText,
  type QueryCode,
  type QueryOutline,
  readRows,
  runToEnd,
  type Type,
} from "@fairlead/linq";
import type { Limits } from "@fairlead/linq/limits";
import { withinBytes } from "../answer/answer-size.ts";
import { type ExploreOptions, Presenter } from "../answer/present.ts";
import { toFailedReply } from "../answer/problem.ts";
import { V8View } from "../explore/v8-view.ts";
import { hostAccess } from "../host/access.ts";
import { createRedaction, type RedactionOptions } from "../host/redaction.ts";
import { Registry } from "../host/registry.ts";
import { runWithTimeLimit } from "../host/time-limit.ts";
import type { ToolName } from "../protocol/message.ts";

interface RemoteRun {
  readonly host: HostAccess;
  readonly limits: Limits;
  readonly frame: Frame;
  readonly presenter: Presenter;
  /** Presents the roots: one that does not end is a line of the answer. */
  readonly lister: Presenter;
  close(): void;
}

/** A text of a question with what it became. */
interface RemoteCode {
  readonly text: string;
  readonly type: Type;
  readonly code: Code;
}

const elapsed = (): number => performance.now();

/** The roots of a question; each is read when it is needed. */
export const openRemoteRun = (
  roots: Readonly<Record<string, () => unknown>>,
  limits: Limits,
  redact: RedactionOptions,
): RemoteRun => {
  const redaction = createRedaction(redact);
  const registry = new Registry([]);
  const named = Object.entries(roots).map(([name, read]) => ({
    name,
    type: dynamic,
    read: () => readRoot(name, read),
  }));
  const host = hostAccess({ registry, roots: named, now: () => Date.now(), limits, redaction });
  const hidden = new V8View(redaction.hides);
  const shown = { registry, limits, elapsed, hidden };
  const share = Math.ceil(limits.wallMs / (2 * Math.max(1, named.length)));
  const ending = named.map((root) => ({ ...root, read: () => runWithTimeLimit(share, root.read) }));
  return {
    host,
    limits,
    frame: new Frame(limits, { elapsed }),
    presenter: new Presenter({ ...shown, host }),
    lister: new Presenter({ ...shown, host: { ...host, roots: ending } }),
    close: () => hidden.close(),
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
const writeReply = (tool: ToolName, run: RemoteRun, work: () => unknown): string => {
  try {
    return JSON.stringify({ id: 0, ok: true, value: work() });
  } catch (error) {
    return JSON.stringify(toFailedReply(error, { id: 0, tool }));
  } finally {
    run.close();
  }
};

const runCode = ({ text, type, code }: RemoteCode, { frame }: RemoteRun) => ({
  value: locateInText(text, () => code(frame)),
  type,
});

export const replyToEval = (run: RemoteRun, code: RemoteCode, depth: number): string =>
  writeReply("eval", run, () => run.presenter.value(runCode(code, run), code.text, depth));

export const replyToExplore = (run: RemoteRun, code: RemoteCode, options: ExploreOptions): string =>
  writeReply("explore", run, () =>
    withinBytes(run.presenter.live(runCode(code, run), code.text, options), run.limits.resultBytes),
  );

export const replyWithRoots = (run: RemoteRun, options: ExploreOptions): string =>
  writeReply("explore", run, () => withinBytes(run.lister.roots(options), run.limits.resultBytes));

interface RemoteQuery extends QueryCode {
  readonly from: RemoteCode;
  readonly outline: QueryOutline;
  /** Rows that the caller asked for. */
  readonly requestedRows: number | undefined;
}

export const replyToQuery = (run: RemoteRun, { from, requestedRows, ...query }: RemoteQuery): string =>
  writeReply("query", run, () => {
    const { host, frame, presenter } = run;
    const { value, type } = locateInPart("from", () => runCode(from, run));
    const rows = locateInPart("from", () => locateInText(from.text, () => readRows(value, type, host, frame)));
    return runToEnd(presenter.rows(runToEnd(executeQuery({ ...query, host, frame, rows })), requestedRows));
  });
