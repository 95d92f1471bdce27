/** Changes of one procedure that both releases have. Pure. */
import { type ChangePlace, change, type ReleaseChange, type Surface } from "./change.ts";
import { fileChanges } from "./file-changes.ts";
import type { ReleasedProcedure, ReleasedService } from "./release.ts";
import { schemaChanges } from "./schema-changes.ts";

/** From the freest to the strictest. */
const accessOrder = ["read", "call", "admin"];

const defaultDeadlineMs = 30_000;

/** What a caller may do that relied on the first, and may not with the second. */
const weaker: Readonly<Record<string, readonly string[]>> = {
  safe: ["idempotent", "keyed", "unsafe"],
  idempotent: ["keyed", "unsafe"],
  keyed: ["unsafe"],
  unsafe: [],
};

/** Surfaces that a procedure is not on. */
export const absentSurfaces = ({ tool }: ReleasedProcedure): readonly Surface[] => (tool === undefined ? ["mcp"] : []);

export const procedureChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  service: ReleasedService,
): readonly ReleaseChange[] => {
  const place: ChangePlace = { service: service.id, where: before.name, without: absentSurfaces(before) };
  const at = (part: string): ChangePlace => ({ ...place, where: `${before.name} ${part}` });
  const call = before.routes[0] ?? before.name;
  return [
    ...kindChanges(before, after, place),
    ...routeChanges(before, after, place),
    ...(isToolElsewhere(before, service) ? [] : toolChanges(before, after, place)),
    ...(after.deprecated !== undefined && before.deprecated === undefined
      ? [change("deprecated", place, { message: after.deprecated })]
      : []),
    ...retryChanges(before, after, place),
    ...accessChanges(before, after, { ...place, call }),
    ...deadlineChanges(before, after, place),
    ...runChanges(before, after, { ...place, without: [], call }),
    ...pageChanges(before, after, { ...place, without: [] }),
    ...fileChanges(before, after, { ...place, call }),
    ...schemaChanges("input", [before.input, after.input], at("input")),
    ...schemaChanges("output", [before.output, after.output], at("output")),
    ...errorChanges(before, after, at),
    ...questionChanges(before, after, at),
  ];
};

const kindChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  place: ChangePlace,
): readonly ReleaseChange[] =>
  before.kind === after.kind
    ? []
    : [
        change("kind_changed", place, {
          message: `a ${before.kind} is a ${after.kind}`,
          witness: `${before.kind} ${before.name}`,
        }),
      ];

const routeChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  place: ChangePlace,
): readonly ReleaseChange[] => {
  const message = `it is at ${after.routes.join(" and ")} now`;
  return [
    ...before.routes
      .filter((route) => !after.routes.includes(route))
      .map((route) => change("route_removed", place, { message: `${route} is gone, ${message}`, witness: route })),
    ...after.routes
      .filter((route) => !before.routes.includes(route))
      .map((route) => change("route_added", place, { message: `${route} is new` })),
  ];
};

/** A tool that stays with the new name of a renamed procedure. */
const isToolElsewhere = ({ name, tool }: ReleasedProcedure, { procedures }: ReleasedService): boolean =>
  tool !== undefined && [...procedures.values()].some((each) => each.name !== name && each.tool === tool);

const toolChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  place: ChangePlace,
): readonly ReleaseChange[] => {
  const found: ReleaseChange[] = [];
  const { tool } = before;
  if (tool !== after.tool) {
    const now = after.tool === undefined ? "is gone" : `is called ${after.tool}`;
    if (tool !== undefined)
      found.push(change("tool_removed", place, { message: `the tool ${tool} ${now}`, witness: `tools/call ${tool}` }));
    else found.push(change("tool_added", { ...place, without: [] }, { message: `the tool ${after.tool} is new` }));
  }
  const hints = new Set([...Object.keys(before.hints), ...Object.keys(after.hints)]);
  for (const hint of hints) {
    const [was, is] = [before.hints[hint] ?? false, after.hints[hint] ?? false];
    if (was !== is && tool !== undefined && after.tool !== undefined)
      found.push(change("annotation_changed", place, { message: `the hint ${hint} was ${was}, and is ${is}` }));
  }
  return found;
};

const retryChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  place: ChangePlace,
): readonly ReleaseChange[] => {
  if (before.retry === after.retry) return [];
  const message = `was ${before.retry} to repeat, and is ${after.retry}`;
  const isWeaker = weaker[before.retry]?.includes(after.retry) ?? true;
  return [
    isWeaker
      ? change("retry_weakened", place, { message, witness: `${before.name}, sent twice` })
      : change("retry_strengthened", place, { message }),
  ];
};

const accessChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  { call, ...place }: ChangePlace & { readonly call: string },
): readonly ReleaseChange[] => {
  if (before.access === after.access) return [];
  const message = `took \`${before.access}\`, and takes \`${after.access}\``;
  return accessOrder.indexOf(after.access) > accessOrder.indexOf(before.access)
    ? [change("access_raised", place, { message, witness: `${call} with a token for \`${before.access}\`` })]
    : [change("access_lowered", place, { message })];
};

const deadlineChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  place: ChangePlace,
): readonly ReleaseChange[] => {
  const [was, is] = [before.deadlineMs ?? defaultDeadlineMs, after.deadlineMs ?? defaultDeadlineMs];
  if (was === is || before.kind === "subscription") return [];
  return [
    change(is < was ? "deadline_shortened" : "deadline_lengthened", place, {
      message: `had ${was} ms, and has ${is} ms`,
    }),
  ];
};

/** Runs are started and read by procedures of the kernel, so a procedure that is not a tool can be one, too. */
const runChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  { call, ...place }: ChangePlace & { readonly call: string },
): readonly ReleaseChange[] => {
  if (before.isRun === after.isRun) return [];
  if (after.isRun) return [change("run_added", place, { message: "it can be started as a run" })];
  return [
    change("run_removed", place, {
      message: "it cannot be started as a run any more",
      witness: `${call} with \`Prefer: respond-async\``,
    }),
  ];
};

/** The command line asks the kernel what gives pages; a TypeScript client knows since it was generated. */
const pageChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  place: ChangePlace,
): readonly ReleaseChange[] => {
  if (before.isPaginated === after.isPaginated) return [];
  if (after.isPaginated) return [change("pages_added", place, { message: "it gives pages" })];
  const name = before.name.slice(place.service.length + 1);
  return [
    change("pages_removed", place, {
      message: "it gives no pages any more",
      witness: `fairlead call ${before.name} --all`,
    }),
    change("page_iterator_removed", place, {
      message: `it gives no pages any more: clients that are generated from now on have no \`${name}.items()\` and \`${name}.pages()\``,
    }),
  ];
};

const errorChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  at: (part: string) => ChangePlace,
): readonly ReleaseChange[] => {
  const found: ReleaseChange[] = [];
  for (const [reason, was] of before.errors) {
    const is = after.errors.get(reason);
    const place = at(`error ${reason}`);
    if (is === undefined) {
      found.push(change("error_removed", place, { message: "it happens no more" }));
      continue;
    }
    if (was.code !== is.code)
      found.push(
        change("error_code_changed", place, {
          message: `was ${was.code}, and is ${is.code}`,
          witness: `\`${reason}\` with the code ${is.code}`,
        }),
      );
    if (was.data !== undefined && is.data !== undefined)
      found.push(...schemaChanges("output", [was.data, is.data], place));
    else if (was.data !== undefined)
      found.push(
        change("error_data_removed", place, {
          message: "it has no data any more",
          witness: `\`${reason}\` without data`,
        }),
      );
    else if (is.data !== undefined) found.push(change("error_data_added", place, { message: "it has data" }));
  }
  for (const reason of after.errors.keys())
    if (!before.errors.has(reason))
      found.push(
        change("error_added", at(`error ${reason}`), {
          message: "it is new; code that handles all errors does not know it",
        }),
      );
  return found;
};

/** An answer is what callers send. */
const questionChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  at: (part: string) => ChangePlace,
): readonly ReleaseChange[] => {
  const kept = [...before.questions].flatMap(([name, was]) => {
    const place = at(`question ${name}`);
    const is = after.questions.get(name);
    if (is === undefined) return [change("question_removed", place, { message: "it is not asked any more" })];
    if (was.kind !== is.kind)
      return [
        change("question_kind_changed", place, {
          message: `was a \`${was.kind}\`, and is a \`${is.kind}\``,
          witness: `an answer to the \`${was.kind}\` ${name}`,
        }),
      ];
    return was.answer === undefined || is.answer === undefined
      ? []
      : schemaChanges("input", [was.answer, is.answer], place);
  });
  const added = [...after.questions.keys()].filter((name) => !before.questions.has(name));
  return [
    ...kept,
    ...added.map((name) =>
      change("question_added", at(`question ${name}`), {
        message: "it is new; a caller that cannot be asked, or does not know the answer, fails where it is asked",
      }),
    ),
  ];
};
