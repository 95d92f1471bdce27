/**
 * What runs in a process that does not know this package, besides the code of a question: its roots as a host, and how values
 * become a reply. It keeps nothing of a question.
 */

import {
  type Code,
  dynamic,
  Frame,
  finished,
  type HostAccess,
  inPart,
  inText,
  LinqError,
  type Outline,
  type Parts,
  rowsOf,
  run,
  type Type,
} from "@fairlead/linq";
import type { Limits } from "@fairlead/linq/limits";
import { type Looking, Presenter } from "../answer/present.ts";
import { failed } from "../answer/problem.ts";
import { V8View } from "../explore/v8-view.ts";
import { hostAccess } from "../host/access.ts";
import { Registry } from "../host/registry.ts";
import { timed } from "../host/timed.ts";
import type { Tool } from "../protocol/message.ts";

export interface There {
  readonly host: HostAccess;
  readonly limits: Limits;
  readonly frame: Frame;
  readonly presenter: Presenter;
  /** Presents the roots: one that does not end is a line of the answer. */
  readonly lister: Presenter;
  close(): void;
}

/** A text of a question with what it became. */
export interface Coded {
  readonly text: string;
  readonly type: Type;
  readonly code: Code;
}

const elapsed = (): number => performance.now();

/** The roots of a question; each is read when it is needed. */
export const thereWith = (roots: Readonly<Record<string, () => unknown>>, limits: Limits): There => {
  const registry = new Registry([]);
  const named = Object.entries(roots).map(([name, read]) => ({
    name,
    type: dynamic,
    read: () => readRoot(name, read),
  }));
  const host = hostAccess({ registry, roots: named, now: () => Date.now(), limits });
  const hidden = new V8View();
  const shown = { registry, limits, elapsed, hidden };
  const share = Math.ceil(limits.wallMs / (2 * Math.max(1, named.length)));
  const ending = named.map((root) => ({ ...root, read: () => timed(share, root.read) }));
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
    throw new LinqError("not_readable", `The expression of the root '${name}' fails there`, { position: 0, hint });
  }
};

/** The reply to a question as JSON, failures included. */
const replied = (tool: Tool, there: There, work: () => unknown): string => {
  try {
    return JSON.stringify({ id: 0, ok: true, value: work() });
  } catch (error) {
    return JSON.stringify(failed(error, { id: 0, tool }));
  } finally {
    there.close();
  }
};

const foundBy = ({ text, type, code }: Coded, { frame }: There) => ({
  value: inText(text, () => code(frame)),
  type,
});

export const replyToEval = (there: There, coded: Coded, depth: number): string =>
  replied("eval", there, () => there.presenter.value(foundBy(coded, there), coded.text, depth));

export const replyToExplore = (there: There, coded: Coded, looking: Looking): string =>
  replied("explore", there, () => there.presenter.live(foundBy(coded, there), coded.text, looking));

export const replyWithRoots = (there: There, looking: Looking): string =>
  replied("explore", there, () => there.lister.roots(looking));

export interface CodedQuery extends Parts {
  readonly from: Coded;
  readonly outline: Outline;
  /** Rows that the caller wanted. */
  readonly wanted: number | undefined;
}

export const replyToQuery = (there: There, { from, wanted, ...query }: CodedQuery): string =>
  replied("query", there, () => {
    const { host, frame, presenter } = there;
    const { value, type } = inPart("from", () => foundBy(from, there));
    const rows = inPart("from", () => inText(from.text, () => rowsOf(value, type, host)));
    return finished(presenter.rows(finished(run({ ...query, host, frame, rows })), wanted));
  });
