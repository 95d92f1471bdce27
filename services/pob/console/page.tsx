/**
 * Builds, the page of Path of Building in the console: reads any build, and computes it where the user has Path of Building. Built by `npm run page` into one ES
 * module, which the kernel serves at `/console/x/pob/` and the console imports.
 */
import {
  Card,
  CodeBlock,
  Empty,
  ErrorNote,
  Mono,
  PageHeader,
  readCallError,
  Sections,
  usePageSearch,
} from "@fairlead/console/kit";
import { useEffect, useMemo, useState } from "react";
import { api, type CuratedStat } from "./api.ts";
import { BuildInput } from "./build-input.tsx";
import { Parts } from "./parts.tsx";
import { Stats } from "./stats.tsx";
import { Tree } from "./tree.tsx";
import { type NodeChanges, WhatIfPanel } from "./what-if.tsx";

const views = [
  ["stats", "Stats"],
  ["tree", "Passive tree"],
  ["parts", "Items and gems"],
  ["if", "What if"],
] as const;

export default function BuildsPage() {
  const [{ session }] = usePageSearch();
  const [loads, setLoads] = useState(0);
  const refresh = useBuildRefresh();
  const input = session === undefined ? {} : { session };
  const [isMissing, setMissing] = useState(true);
  // Asked again until there is a build: a command or a model may load it as well.
  const { data: stats, error } = api.useQuery("luaGetStats", input, isMissing ? { every: 5_000 } : {});
  useEffect(() => setMissing(error !== null && readCallError(error).code !== "unimplemented"), [error]);
  const refusal = error === null ? undefined : readCallError(error);
  const off = refusal?.code === "unimplemented" ? refusal.message : undefined;
  const isUnloaded = refusal?.reason === "not_loaded";
  return (
    <>
      <PageHeader title="Builds">
        Path of Exile builds: what the file says, and what Path of Building computes
      </PageHeader>
      <div className="flex flex-col gap-5">
        <BuildInput
          session={session}
          off={off}
          onLoaded={() => {
            setLoads(loads + 1);
            refresh();
          }}
        />
        {off !== undefined && <HowToTurnOn why={off} />}
        {isUnloaded && (
          <Card>
            <Empty title="No build is loaded">
              Paste one and choose Load and compute: then its stats, its passive tree and what a change would do are
              here.
            </Empty>
          </Card>
        )}
        {refusal !== undefined && off === undefined && !isUnloaded && <ErrorNote {...refusal} />}
        {stats !== undefined && error === null && (
          <LoadedBuild key={loads} session={session} curated={stats.curated} onChanged={refresh} />
        )}
      </div>
    </>
  );
}

const answers = ["luaGetStats", "luaGetTree", "luaGetParts", "luaGetLayout", "luaCalcWith"] as const;

const useBuildRefresh = (): (() => void) => {
  const refresh = api.useRefresh();
  return () => {
    for (const name of answers) refresh(name);
  };
};

const HowToTurnOn = ({ why }: { readonly why: string }) => (
  <Card title="Computing is switched off">
    <div className="flex flex-col gap-3 p-4 text-sm">
      <p className="break-words text-soft">{why}</p>
      <p>
        Builds are read without it. To compute them, have LuaJIT and a git checkout of Path of Building, and start the
        kernel with both named; <Mono>fairlead doctor</Mono> says what is missing.
      </p>
      <CodeBlock label="How to turn it on" text={"POB_LUA_ENABLED=true POB_FORK_PATH=~/PathOfBuilding fairlead up"} />
    </div>
  </Card>
);

interface LoadedBuildProps {
  readonly session: string | undefined;
  readonly curated: readonly CuratedStat[];
  readonly onChanged: () => void;
}

const noNodes: NodeChanges = { add: [], remove: [] };

const LoadedBuild = ({ session, curated, onChanged }: LoadedBuildProps) => {
  const [search, open] = usePageSearch();
  const shown = views.find(([view]) => view === search.view)?.[0] ?? "stats";
  // The stats of when it was loaded, or of when this page first saw it.
  const [before] = useState(curated);
  const [nodes, setNodes] = useState(noNodes);
  const input = session === undefined ? {} : { session };
  const tree = api.useQuery("luaGetTree", input);
  const layout = api.useQuery("luaGetLayout", input, { enabled: shown === "tree" });
  const parts = api.useQuery("luaGetParts", input, { enabled: shown === "parts" });
  const taken = useMemo(() => new Set(tree.data?.nodes ?? []), [tree.data]);
  const error = { stats: null, tree: layout.error, parts: parts.error, if: null }[shown];
  return (
    <section aria-label="The loaded build">
      <Sections
        label="Parts of the build"
        shown={shown}
        onOpen={(view) => open({ ...search, view })}
        sections={views}
      />
      {error !== null && <ErrorNote {...readCallError(error)} />}
      {shown === "stats" && <Stats now={curated} before={before} />}
      {shown === "tree" && layout.data !== undefined && (
        <Tree session={session} layout={layout.data} taken={taken} nodes={nodes} onNodes={setNodes} />
      )}
      {shown === "parts" && parts.data !== undefined && <Parts parts={parts.data} />}
      {shown === "if" && <WhatIfPanel session={session} nodes={nodes} onNodes={setNodes} onChanged={onChanged} />}
    </section>
  );
};
