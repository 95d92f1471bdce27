/** Procedures that change the loaded build, try a change without making it, or hand out its parts and its XML. */
import type { pob } from "@fairlead/contracts/pob";
import type { Handlers } from "@fairlead/kernel/service";
import type { RequestOptions } from "@fairlead/kernel/subprocess";
import { encodeShareCode } from "../build/share-code.ts";
import type { Session } from "../session/session.ts";
import { sortChanges } from "../stats/stat-change.ts";
import { statTable } from "../stats/stat-table.ts";
import { type ProcedureContext, readMeta, requestOptions, useSession } from "./context.ts";
import { changeErrors, readErrors, supportErrors, unknownStatError, withDeclaredErrors } from "./declared-errors.ts";

type ChangeHandlers = Pick<Handlers<typeof pob>, "luaCalcWith" | "luaApply" | "luaUndo" | "luaGetParts" | "luaExport">;

export const createChangeHandlers = (context: ProcedureContext): ChangeHandlers => ({
  luaCalcWith: ({ session: name, fields, limit, ...changes }, call) =>
    useSession(context, { name, call }, async (session) => {
      const options = requestOptions(call);
      const answer = session.tryOut((engine) => engine.whatIf(changes, fields, options), options);
      const { changes: raw, unknown, dropped, notices } = await withDeclaredErrors(answer, call, changeErrors);
      if (unknown.length > 0) await requireStatNames(session, { unknown, fields }, options);
      const sorted = sortChanges(raw, fields);
      return {
        changes: sorted.slice(0, limit),
        changed: sorted.length,
        unknown,
        dropped,
        notices,
        meta: await readMeta(context, session, options),
      };
    }),
  luaApply: ({ session: name, ...changes }, call) =>
    useSession(context, { name, call }, async (session) => {
      const options = requestOptions(call);
      const answer = session.change({ kind: "changes", changes }, (engine) => engine.apply(changes, options));
      const result = await withDeclaredErrors(answer, call, changeErrors);
      return { ...result, meta: await readMeta(context, session, options) };
    }),
  luaUndo: ({ session: name }, call) =>
    useSession(context, { name, call }, async (session) => {
      const options = requestOptions(call);
      const loading = requestOptions(call, context.settings.loadTimeoutMs);
      const back = await withDeclaredErrors(session.undo(loading), call, readErrors);
      if (back === undefined)
        throw call.fail("nothing_to_undo", { message: "no change was made since the build was loaded" });
      const { edit, left, ...edited } = back;
      const undone = edit.kind === "tree" ? "a new passive tree" : `changes of ${Object.keys(edit.changes).join(", ")}`;
      return { undone, left, ...edited, meta: await readMeta(context, session, options) };
    }),
  luaGetParts: ({ session: name }, call) =>
    useSession(context, { name, call }, async (session) => {
      const options = requestOptions(call);
      const answer = session.read((engine) => engine.parts(options));
      const parts = await withDeclaredErrors(answer, call, supportErrors);
      return { ...parts, meta: await readMeta(context, session, options) };
    }),
  luaExport: ({ session: name }, call) =>
    useSession(context, { name, call }, async (session) => {
      const options = requestOptions(call);
      const answer = session.read((engine) => engine.exportXml(options));
      const xml = await withDeclaredErrors(answer, call, supportErrors);
      return { xml, code: encodeShareCode(xml), meta: await readMeta(context, session, options) };
    }),
});

interface UnknownFields {
  /** Those of `fields` that this build has no stat for. */
  readonly unknown: readonly string[];
  readonly fields: readonly string[] | undefined;
}

/** Refuses a name that no build has a stat for: without its value, it would read as "no change". */
const requireStatNames = async (
  session: Session,
  { unknown, fields }: UnknownFields,
  options: RequestOptions,
): Promise<void> => {
  const { stats, display } = await session.read((engine) => engine.stats(undefined, options));
  const known = [...statTable.map(({ name }) => name), ...Object.keys(display), ...Object.keys(stats)];
  const wrong = unknown.find((name) => !known.includes(name));
  if (wrong !== undefined) throw unknownStatError(wrong, known, `fields[${fields?.indexOf(wrong)}]`);
};
