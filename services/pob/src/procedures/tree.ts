/** Procedures about the passive tree: reading it, replacing it, drawing it, and finding nodes and what else there is to choose. */
import type { pob } from "@fairlead/contracts/pob";
import type { Handlers } from "@fairlead/kernel/service";
import { readTree } from "../build/summary.ts";
import { readSource } from "./build-source.ts";
import { createMeta, type ProcedureContext, readMeta, requestOptions, useSession } from "./context.ts";
import { readErrors, supportErrors, treeErrors, withDeclaredErrors } from "./declared-errors.ts";
import { drawTree } from "./tree-svg.ts";

type TreeHandlers = Pick<
  Handlers<typeof pob>,
  "luaGetTree" | "luaSetTree" | "luaDrawTree" | "luaSearch" | "luaGetLayout"
>;

export const createTreeHandlers = (context: ProcedureContext): TreeHandlers => ({
  luaGetTree: ({ session: name }, call) =>
    useSession(context, { name, call }, async (session) => {
      const answer = session.read(async (engine) => {
        const [tree, named] = await Promise.all([
          engine.tree(requestOptions(call)),
          engine.named(requestOptions(call)),
        ]);
        return { ...tree, ...(named !== undefined && { named }) };
      });
      const tree = await withDeclaredErrors(answer, call, readErrors);
      return { ...tree, meta: createMeta(context, session, tree.treeVersion) };
    }),
  luaSetTree: ({ session: name, meta: _, named: __, ...tree }, call) =>
    useSession(context, { name, call }, async (session) => {
      const { trees: known } = session.about();
      if (tree.treeVersion !== undefined && known?.includes(tree.treeVersion) === false)
        throw call.fail("unknown_tree", {
          message: `tree version ${tree.treeVersion} is not known to this checkout; there are ${known.join(", ")}`,
        });
      const answer = session.change({ kind: "tree", tree }, (engine) => engine.setTree(tree, requestOptions(call)));
      const result = await withDeclaredErrors(answer, call, treeErrors);
      return { ...result, meta: createMeta(context, session, result.tree.treeVersion) };
    }),
  luaSearch: ({ session: name, ...input }, call) =>
    useSession(context, { name, call }, async (session) => {
      const options = requestOptions(call);
      const answer = session.read((engine) => engine.search({ ...input, kinds: input.kinds }, options));
      const result = await withDeclaredErrors(answer, call, supportErrors);
      return { ...result, meta: await readMeta(context, session, options) };
    }),
  luaGetLayout: ({ session: name }, call) =>
    useSession(context, { name, call }, async (session) => {
      const options = requestOptions(call);
      const answer = session.read((engine) => engine.treeShape(options));
      const layout = await withDeclaredErrors(answer, call, supportErrors);
      return { ...layout, meta: await readMeta(context, session, options) };
    }),
  luaDrawTree: ({ session: name, against }, call) =>
    useSession(context, { name, call }, async (session) => {
      const options = requestOptions(call);
      const treeAnswer = session.read((engine) => engine.tree(options));
      const now = await withDeclaredErrors(treeAnswer, call, supportErrors);
      const other =
        against === undefined ? now : readTree((await readSource(against, context.settings.buildsFolder, call)).root);
      const [before, after] = [new Set(now.nodes), new Set(other?.nodes ?? [])];
      const nodes = [...new Set([...before, ...after])].toSorted((a, b) => a - b);
      const layoutAnswer = session.read((engine) => engine.layout(nodes, options));
      const layout = await withDeclaredErrors(layoutAnswer, call, supportErrors);
      const placed = new Set(layout.nodes.map(({ id }) => id));
      return {
        svg: drawTree(layout, before, after),
        drawn: placed.size,
        leftOut: nodes.filter((id) => !placed.has(id)),
        meta: createMeta(context, session, now.treeVersion),
      };
    }),
});
