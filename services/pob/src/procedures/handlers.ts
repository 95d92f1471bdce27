/**
 * The procedures: handlers meet the session, and refusals become declared errors.
 *
 * Not here: XML (`build.ts` and its neighbours), the process (`session.ts`), what is switched off (`service.ts`).
 */
import type { pob } from "@fairlead/contracts/pob";
import type { Call, FairleadError, Handlers } from "@fairlead/kernel/service";
import type { RequestOptions } from "@fairlead/kernel/subprocess";
import { type Read, readBuild, summarise, treeOf } from "../build/build.ts";
import { compare } from "../build/compare.ts";
import { listFolder, notListed, readListed } from "../build/folder.ts";
import { encodeShareCode } from "../build/share-code.ts";
import { judge, validate } from "../build/validate.ts";
import { EngineError } from "../engine/engine.ts";
import type { Session } from "../session/session.ts";
import type { Sessions } from "../session/sessions.ts";
import type { Settings } from "../setup/settings.ts";
import { sortChanges } from "../stats/stat-change.ts";
import { curate, statTable } from "../stats/stat-table.ts";
import { all, asked, reads, some, trees, unknownStat } from "./refusal.ts";
import { drawTree } from "./tree-svg.ts";

type Procedures = (typeof pob)["procedures"];
type ReadCall = Pick<Call<Procedures["parseBuild"]>, "fail">;
type Source = { readonly build: string } | { readonly file: string };

const optionsOf = (call: Pick<Call, "signal">, timeoutMs?: number): RequestOptions => ({
  signal: call.signal,
  ...(timeoutMs !== undefined && { timeoutMs }),
});

const badBuild = (why: string, call: ReadCall): FairleadError =>
  call.fail("bad_build", { message: `the build cannot be read: ${why}` }, { problems: [why] });

const sourceText = async (source: Source, settings: Settings, call: ReadCall): Promise<string> => {
  if ("build" in source) return source.build;
  const listed = await readListed(settings.buildsFolder, source.file);
  if (listed.ok) return listed.text;
  throw call.fail("unknown_file", notListed(source.file, listed.known, settings.buildsFolder), {
    known: [...listed.known],
  });
};

const readSource = async (source: Source, settings: Settings, call: ReadCall): Promise<Extract<Read, { ok: true }>> => {
  const read = readBuild(await sourceText(source, settings, call));
  if (!read.ok) throw badBuild(read.why, call);
  return read;
};

export const handlersOf = (sessions: Sessions, settings: Settings): Handlers<typeof pob> => {
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
    parseBuild: async ({ source }, call) => summarise((await readSource(source, settings, call)).root),
    validateBuild: ({ build }) => validate(build, knownTrees()),
    compareBuilds: async ({ a, b }, call) =>
      compare((await readSource(a, settings, call)).root, (await readSource(b, settings, call)).root),
    convertBuild: async ({ source }, call) => {
      const { xml } = await readSource(source, settings, call);
      return { xml, code: encodeShareCode(xml) };
    },
    listBuilds: async () => ({
      folder: settings.buildsFolder ?? null,
      builds: settings.buildsFolder === undefined ? [] : [...(await listFolder(settings.buildsFolder))],
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
      const { valid, problems } = judge(read, session.about().trees);
      if (!valid || !read.ok)
        throw refuse(
          problems
            .filter(({ severity }) => severity === "error")
            .slice(0, 10)
            .map(({ message }) => message),
        );
      const input = { xml: read.xml, name: name ?? "Build", nodes: treeOf(read.root)?.nodes ?? [] };
      try {
        const report = await asked(session.load(input, optionsOf(call)), call, []);
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
      const options = optionsOf(call);
      const { stats, unknown, display } = await asked(
        session.read((one) => one.stats(fields, options)),
        call,
        reads,
      );
      return { stats, curated: curate(stats, display), unknown, meta: await metaNow(session, options) };
    },
    luaGetTree: async ({ session: name }, call) => {
      const session = await open(name, call);
      const tree = await asked(
        session.read((one) => one.tree(optionsOf(call))),
        call,
        reads,
      );
      return { ...tree, meta: metaOf(session, tree.treeVersion) };
    },
    luaSetTree: async ({ session: name, meta: _, ...tree }, call) => {
      const session = await open(name, call);
      const { trees: known } = session.about();
      if (tree.treeVersion !== undefined && known?.includes(tree.treeVersion) === false)
        throw call.fail("unknown_tree", { message: `tree version ${tree.treeVersion} is not known to this checkout` });
      const edit = { kind: "tree", tree } as const;
      const result = await asked(
        session.change(edit, (one) => one.setTree(tree, optionsOf(call))),
        call,
        trees,
      );
      return { ...result, meta: metaOf(session, result.tree.treeVersion) };
    },
    luaCalcWith: async ({ session: name, fields, limit, ...changes }, call) => {
      const session = await open(name, call);
      const options = optionsOf(call);
      const { changes: raw, dropped } = await asked(
        session.read((one) => one.whatIf(changes, options)),
        call,
        all,
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
      const options = optionsOf(call);
      const result = await asked(
        session.change(edit, (one) => one.apply(changes, options)),
        call,
        all,
      );
      return { ...result, meta: await metaNow(session, options) };
    },
    luaUndo: async ({ session: name }, call) => {
      const session = await open(name, call);
      const options = optionsOf(call);
      const back = await asked(session.undo(options), call, reads);
      if (back === undefined)
        throw call.fail("nothing_to_undo", { message: "no change was made since the build was loaded" });
      const undone =
        back.edit.kind === "tree" ? "a new passive tree" : `changes of ${Object.keys(back.edit.changes).join(", ")}`;
      return { undone, left: back.left, meta: await metaNow(session, options) };
    },
    luaGetParts: async ({ session: name }, call) => {
      const session = await open(name, call);
      const options = optionsOf(call);
      return {
        ...(await asked(
          session.read((one) => one.parts(options)),
          call,
          some,
        )),
        meta: await metaNow(session, options),
      };
    },
    luaDrawTree: async ({ session: name, against }, call) => {
      const session = await open(name, call);
      const options = optionsOf(call);
      const now = await asked(
        session.read((one) => one.tree(options)),
        call,
        some,
      );
      const other = against === undefined ? now : treeOf((await readSource(against, settings, call)).root);
      const [before, after] = [new Set(now.nodes), new Set(other?.nodes ?? [])];
      const wanted = [...new Set([...before, ...after])].toSorted((a, b) => a - b);
      const shape = await asked(
        session.read((one) => one.shape(wanted, options)),
        call,
        some,
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
      const options = optionsOf(call);
      const xml = await asked(
        session.read((one) => one.exportXml(options)),
        call,
        reads,
      );
      return { xml, code: encodeShareCode(xml), meta: await metaNow(session, options) };
    },
    luaRankNodes: async ({ session: name, ...input }, call) => {
      const session = await open(name, call);
      if (settings.kind === "shim") {
        const { stats } = await asked(
          session.read((one) => one.stats(undefined, optionsOf(call))),
          call,
          some,
        );
        const known = [...statTable.map(({ name: stat }) => stat), ...Object.keys(stats)];
        if (!known.includes(input.stat)) throw unknownStat(input.stat, known);
      }
      const left = Number.isFinite(call.deadline) ? Math.max(1, call.deadline - Date.now()) : 120_000;
      const onPart: RequestOptions["onPart"] = ({ part }) => {
        if (typeof part !== "object" || part === null || !("done" in part) || !("total" in part)) return;
        call.progress({ progress: Number(part.done), total: Number(part.total), message: "nodes tried" });
      };
      const ranked = await asked(
        session.read((one) => one.rank(input, { ...optionsOf(call, left), onPart })),
        call,
        some,
      );
      return { ...ranked, meta: await metaNow(session, optionsOf(call)) };
    },
  };
};
