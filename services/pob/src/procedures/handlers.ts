/**
 * The procedures: handlers meet the session, and refusals become declared errors.
 *
 * Not here: XML (`build.ts` and its neighbours), the process (`session.ts`), what is switched off (`service.ts`).
 */
import type { pob } from "@fairlead/contracts/pob";
import type { Call, FairleadError, Handlers } from "@fairlead/kernel/service";
import type { RequestOptions } from "@fairlead/kernel/subprocess";
import { explainUnknownFile, listBuildFiles, readBuildFile } from "../build/build-folder.ts";
import { compareBuilds } from "../build/compare.ts";
import { encodeShareCode } from "../build/share-code.ts";
import { type ParsedBuild, readBuild, readTree, summarizeBuild } from "../build/summary.ts";
import { validateBuild, validateText } from "../build/validate.ts";
import { EngineError } from "../engine/engine.ts";
import type { Session } from "../session/session.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import type { PobSettings } from "../setup/settings.ts";
import { sortChanges } from "../stats/stat-change.ts";
import { curateStats, statTable } from "../stats/stat-table.ts";
import {
  changeErrors,
  readErrors,
  supportErrors,
  treeErrors,
  unknownStatError,
  withDeclaredErrors,
} from "./declared-errors.ts";
import { drawTree } from "./tree-svg.ts";

type Procedures = (typeof pob)["procedures"];
type ReadCall = Pick<Call<Procedures["parseBuild"]>, "fail">;
type BuildSource = { readonly build: string } | { readonly file: string };

const requestOptions = (call: Pick<Call, "signal">, timeoutMs?: number): RequestOptions => ({
  signal: call.signal,
  ...(timeoutMs !== undefined && { timeoutMs }),
});

const badBuildError = (why: string, call: ReadCall): FairleadError =>
  call.fail("bad_build", { message: `the build cannot be read: ${why}` }, { problems: [why] });

const sourceText = async (source: BuildSource, settings: PobSettings, call: ReadCall): Promise<string> => {
  if ("build" in source) return source.build;
  const listed = await readBuildFile(settings.buildsFolder, source.file);
  if (listed.ok) return listed.text;
  throw call.fail("unknown_file", explainUnknownFile(source.file, listed.known, settings.buildsFolder), {
    known: [...listed.known],
  });
};

const readSource = async (
  source: BuildSource,
  settings: PobSettings,
  call: ReadCall,
): Promise<Extract<ParsedBuild, { ok: true }>> => {
  const read = readBuild(await sourceText(source, settings, call));
  if (!read.ok) throw badBuildError(read.why, call);
  return read;
};

export const createHandlers = (sessions: SessionRegistry, settings: PobSettings): Handlers<typeof pob> => {
  const open = (name: string | undefined, { principal }: Pick<Call, "principal">): Promise<Session> =>
    sessions.open({ principal: principal.id, name });
  const knownTrees = () =>
    sessions
      .list()
      .findLast((one) => one.about().trees !== undefined)
      ?.about().trees;
  const metaOf = (session: Session, treeVersion: string | null) => ({
    engine: settings.kind,
    version: session.about().version,
    treeVersion,
    recovered: session.takeRecovered(),
  });
  const metaNow = async (session: Session, options: RequestOptions) =>
    metaOf(session, (await session.read((one) => one.tree(options))).treeVersion);

  return {
    parseBuild: async ({ source }, call) => summarizeBuild((await readSource(source, settings, call)).root),
    validateBuild: ({ build }) => validateText(build, knownTrees()),
    compareBuilds: async ({ a, b }, call) =>
      compareBuilds((await readSource(a, settings, call)).root, (await readSource(b, settings, call)).root),
    convertBuild: async ({ source }, call) => {
      const { xml } = await readSource(source, settings, call);
      return { xml, code: encodeShareCode(xml) };
    },
    listBuilds: async () => ({
      folder: settings.buildsFolder ?? null,
      builds: settings.buildsFolder === undefined ? [] : [...(await listBuildFiles(settings.buildsFolder))],
    }),

    luaStart: async ({ session: name }, call) => {
      const session = await open(name, call);
      const started = await session.start(call);
      return `Path of Building ${session.about().version} ${started ? "was started" : "was running already"} (${settings.cwd}).`;
    },
    luaStop: async ({ session: name }, call) =>
      (await sessions.stop({ principal: call.principal.id, name }))
        ? "Path of Building was stopped."
        : "Path of Building was not running.",

    luaLoadBuild: async ({ session: which, build_xml, name }, call) => {
      const session = await open(which, call);
      const refuse = (problems: readonly string[]) =>
        call.fail(
          "bad_build",
          { message: `the build was not loaded: ${problems[0] ?? "it is no build"}` },
          { problems: [...problems] },
        );
      if (session.status().state.tag === "Starting") await session.start(call);
      const read = readBuild(build_xml);
      const { valid, problems } = validateBuild(read, session.about().trees);
      if (!valid || !read.ok)
        throw refuse(
          problems
            .filter(({ severity }) => severity === "error")
            .slice(0, 10)
            .map(({ message }) => message),
        );
      const input = { xml: read.xml, name: name ?? "Build", nodes: readTree(read.root)?.nodes ?? [] };
      try {
        const report = await withDeclaredErrors(session.load(input, requestOptions(call)), call, []);
        return {
          status: `Loaded ${input.name}: level ${report.level} ${report.className}, ${report.nodes} nodes.`,
          level: report.level,
          className: report.className,
          ascendancy: report.ascendancy === "None" ? null : (report.ascendancy ?? null),
          treeVersion: report.treeVersion,
          nodes: report.nodes,
          warnings: report.warnings,
          meta: metaOf(session, report.treeVersion),
        };
      } catch (error) {
        throw error instanceof EngineError && error.code === "bad_xml" ? refuse([error.message]) : error;
      }
    },

    luaGetStats: async ({ session: name, fields }, call) => {
      const session = await open(name, call);
      const options = requestOptions(call);
      const { stats, unknown, display } = await withDeclaredErrors(
        session.read((one) => one.stats(fields, options)),
        call,
        readErrors,
      );
      return { stats, curated: curateStats(stats, display), unknown, meta: await metaNow(session, options) };
    },
    luaGetTree: async ({ session: name }, call) => {
      const session = await open(name, call);
      const tree = await withDeclaredErrors(
        session.read((one) => one.tree(requestOptions(call))),
        call,
        readErrors,
      );
      return { ...tree, meta: metaOf(session, tree.treeVersion) };
    },
    luaSetTree: async ({ session: name, meta: _, ...tree }, call) => {
      const session = await open(name, call);
      const { trees: known } = session.about();
      if (tree.treeVersion !== undefined && known?.includes(tree.treeVersion) === false)
        throw call.fail("unknown_tree", { message: `tree version ${tree.treeVersion} is not known to this checkout` });
      const edit = { kind: "tree", tree } as const;
      const result = await withDeclaredErrors(
        session.change(edit, (one) => one.setTree(tree, requestOptions(call))),
        call,
        treeErrors,
      );
      return { ...result, meta: metaOf(session, result.tree.treeVersion) };
    },
    luaCalcWith: async ({ session: name, fields, limit, ...changes }, call) => {
      const session = await open(name, call);
      const options = requestOptions(call);
      const { changes: raw, dropped } = await withDeclaredErrors(
        session.read((one) => one.whatIf(changes, options)),
        call,
        changeErrors,
      );
      const sorted = sortChanges(raw, fields);
      return {
        changes: sorted.slice(0, limit),
        changed: sorted.length,
        dropped,
        meta: await metaNow(session, options),
      };
    },
    luaApply: async ({ session: name, ...changes }, call) => {
      const session = await open(name, call);
      const edit = { kind: "changes", changes } as const;
      const options = requestOptions(call);
      const result = await withDeclaredErrors(
        session.change(edit, (one) => one.apply(changes, options)),
        call,
        changeErrors,
      );
      return { ...result, meta: await metaNow(session, options) };
    },
    luaUndo: async ({ session: name }, call) => {
      const session = await open(name, call);
      const options = requestOptions(call);
      const back = await withDeclaredErrors(session.undo(options), call, readErrors);
      if (back === undefined)
        throw call.fail("nothing_to_undo", { message: "no change was made since the build was loaded" });
      const undone =
        back.edit.kind === "tree" ? "a new passive tree" : `changes of ${Object.keys(back.edit.changes).join(", ")}`;
      return { undone, left: back.left, meta: await metaNow(session, options) };
    },
    luaGetParts: async ({ session: name }, call) => {
      const session = await open(name, call);
      const options = requestOptions(call);
      return {
        ...(await withDeclaredErrors(
          session.read((one) => one.parts(options)),
          call,
          supportErrors,
        )),
        meta: await metaNow(session, options),
      };
    },
    luaDrawTree: async ({ session: name, against }, call) => {
      const session = await open(name, call);
      const options = requestOptions(call);
      const now = await withDeclaredErrors(
        session.read((one) => one.tree(options)),
        call,
        supportErrors,
      );
      const other = against === undefined ? now : readTree((await readSource(against, settings, call)).root);
      const [before, after] = [new Set(now.nodes), new Set(other?.nodes ?? [])];
      const wanted = [...new Set([...before, ...after])].toSorted((a, b) => a - b);
      const shape = await withDeclaredErrors(
        session.read((one) => one.layout(wanted, options)),
        call,
        supportErrors,
      );
      const placed = new Set(shape.nodes.map(({ id }) => id));
      return {
        svg: drawTree(shape, before, after),
        drawn: placed.size,
        leftOut: wanted.filter((id) => !placed.has(id)),
        meta: metaOf(session, now.treeVersion),
      };
    },
    luaExport: async ({ session: name }, call) => {
      const session = await open(name, call);
      const options = requestOptions(call);
      const xml = await withDeclaredErrors(
        session.read((one) => one.exportXml(options)),
        call,
        readErrors,
      );
      return { xml, code: encodeShareCode(xml), meta: await metaNow(session, options) };
    },
    luaRankNodes: async ({ session: name, ...input }, call) => {
      const session = await open(name, call);
      if (settings.kind === "shim") {
        const { stats } = await withDeclaredErrors(
          session.read((one) => one.stats(undefined, requestOptions(call))),
          call,
          supportErrors,
        );
        const known = [...statTable.map(({ name: stat }) => stat), ...Object.keys(stats)];
        if (!known.includes(input.stat)) throw unknownStatError(input.stat, known);
      }
      const left = Number.isFinite(call.deadline) ? Math.max(1, call.deadline - Date.now()) : 120_000;
      const onPart: RequestOptions["onPart"] = ({ part }) => {
        if (typeof part !== "object" || part === null || !("done" in part) || !("total" in part)) return;
        call.progress({ progress: Number(part.done), total: Number(part.total), message: "nodes tried" });
      };
      const ranked = await withDeclaredErrors(
        session.read((one) => one.rank(input, { ...requestOptions(call, left), onPart })),
        call,
        supportErrors,
      );
      return { ...ranked, meta: await metaNow(session, requestOptions(call)) };
    },
  };
};
