/** Procedures about the process of a session: start, stop, and the build that is loaded in it. */
import type { CallerOutput } from "@fairlead/contracts";
import type { pob } from "@fairlead/contracts/pob";
import type { Call, FairleadError, Handlers } from "@fairlead/kernel/service";
import { chooseClass } from "../build/new-build.ts";
import { type ParsedBuild, readBuild, readTree } from "../build/summary.ts";
import { validateBuild } from "../build/validate.ts";
import { EngineError, type LoadInput } from "../engine/engine.ts";
import type { Session } from "../session/session.ts";
import { createMeta, type ProcedureContext, requestOptions, useSession, useSleepingSession } from "./context.ts";
import { withDeclaredErrors } from "./declared-errors.ts";

type ProcessHandlers = Pick<Handlers<typeof pob>, "luaStart" | "luaStop" | "luaLoadBuild" | "luaNewBuild">;
type LoadProcedure = (typeof pob)["procedures"]["luaLoadBuild"];
type LoadReport = Awaited<ReturnType<Session["load"]>>;
type LoadCall = Pick<Call<LoadProcedure>, "fail" | "signal">;

export const createProcessHandlers = (context: ProcedureContext): ProcessHandlers => ({
  luaStart: ({ session: name }, call) =>
    useSleepingSession(context, { name, call }, async (session) => {
      const started = await session.start(call);
      return `Path of Building ${session.about().version} ${started ? "was started" : "was running already"} (${context.settings.cwd}).`;
    }),
  luaStop: async ({ session: name }, call) =>
    (await context.sessions.stop({ principal: call.principal.id, name }))
      ? "Path of Building was stopped."
      : "Path of Building was not running.",
  luaLoadBuild: ({ session: sessionName, build_xml, name = "Build" }, call) =>
    useSleepingSession(context, { name: sessionName, call }, async (session) => {
      if (session.status().state.tag === "Starting") await session.start(call);
      const { xml, root } = requireValid(readBuild(build_xml), session.about().trees, call);
      return loadBuild(context, session, { xml, name, nodes: readTree(root)?.nodes ?? [] }, call);
    }),
  luaNewBuild: ({ session: sessionName, name = "New build", ...wanted }, call) =>
    useSession(context, { name: sessionName, call }, async (session) => {
      const known = session.about().trees;
      if (wanted.treeVersion !== undefined && known?.includes(wanted.treeVersion) === false)
        throw call.fail("unknown_tree", {
          message: `tree version ${wanted.treeVersion} is not known to this checkout; there are ${known.join(", ")}`,
        });
      const answer = session.read((engine) => engine.classes(wanted.treeVersion, requestOptions(call)));
      const found = chooseClass(wanted, await withDeclaredErrors(answer, call, ["unsupported"]));
      if (!found.ok) throw call.fail("unknown_tree", { message: found.why });
      return loadBuild(context, session, { xml: found.xml, name, nodes: [] }, call);
    }),
});

const mostProblems = 10;

/** Path of Building is never given a build that would spoil its process. */
const requireValid = (
  read: ParsedBuild,
  trees: readonly string[] | undefined,
  call: LoadCall,
): Extract<ParsedBuild, { ok: true }> => {
  const { valid, problems } = validateBuild(read, trees);
  if (valid && read.ok) return read;
  const errors = problems.filter(({ severity }) => severity === "error").map(({ message }) => message);
  throw notLoadedError(errors.slice(0, mostProblems), call);
};

const loadBuild = async (
  context: ProcedureContext,
  session: Session,
  input: LoadInput,
  call: LoadCall,
): Promise<CallerOutput<LoadProcedure>> => {
  try {
    const options = requestOptions(call, context.settings.loadTimeoutMs);
    const report = await withDeclaredErrors(session.load(input, options), call, []);
    return {
      status: describeLoad(input.name, report),
      level: report.level,
      className: report.className,
      ascendancy: report.ascendancy === "None" ? null : (report.ascendancy ?? null),
      treeVersion: report.treeVersion,
      nodes: report.nodes,
      warnings: report.warnings,
      notices: report.notices,
      meta: createMeta(context, session, report.treeVersion),
    };
  } catch (error) {
    throw error instanceof EngineError && error.code === "bad_xml" ? notLoadedError([error.message], call) : error;
  }
};

const describeLoad = (name: string, { level, className, nodes, notices }: LoadReport): string => {
  const loaded = `Loaded ${name}: level ${level} ${className}, ${nodes} nodes.`;
  const count = notices.filter(({ kind }) => kind !== "not_checked").length;
  if (count === 0) return loaded;
  return `${loaded} Path of Building did not take ${count === 1 ? "a part" : `${count} parts`} of it as written: see notices.`;
};

const notLoadedError = (problems: readonly string[], call: LoadCall): FairleadError =>
  call.fail(
    "bad_build",
    { message: `the build was not loaded: ${problems[0] ?? "it is not a build"}` },
    { problems: [...problems] },
  );
