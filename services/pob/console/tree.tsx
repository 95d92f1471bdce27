/** The passive tree: what is taken, what each node is worth, and the node that is looked at. */
import { Badge, Button, Card, CopyCommand, ErrorNote, TextField, usePageSearch } from "@fairlead/console/kit";
import { useMemo, useState } from "react";
import { api, type LayoutNode, type RankingItem, type TreeLayout } from "./api.ts";
import { changeText, signed } from "./figures.ts";
import { TreeCanvas } from "./tree-canvas.tsx";
import type { NodeChanges } from "./what-if.tsx";

interface TreeProps {
  readonly session: string | undefined;
  readonly layout: TreeLayout;
  readonly taken: ReadonlySet<number>;
  readonly nodes: NodeChanges;
  readonly onNodes: (nodes: NodeChanges) => void;
}

const none: ReadonlyMap<number, number> = new Map();

export const Tree = ({ session, layout, taken, nodes, onNodes }: TreeProps) => {
  const [search, open] = usePageSearch();
  const [text, setText] = useState("");
  const [run, setRun] = useState<number | undefined>(undefined);
  const [gains, setGains] = useState(none);
  const [progress, setProgress] = useState<RankingItem | undefined>(undefined);
  const chosen = layout.nodes.find(({ id }) => String(id) === search.node);
  const choose = useMemo(() => (node: LayoutNode) => open({ ...search, node: String(node.id) }), [open, search]);
  const added = useMemo(() => new Set(nodes.add), [nodes.add]);
  const removed = useMemo(() => new Set(nodes.remove), [nodes.remove]);
  const words = text.trim().toLowerCase();
  const found =
    words === ""
      ? []
      : layout.nodes.filter(({ name, type }) => type !== "Normal" && name.toLowerCase().includes(words));
  const isRunning = run !== undefined && progress?.ranked == null;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Find a node by its name"
          value={text}
          onChange={setText}
          className="w-64"
          options={found.slice(0, 30).map(({ name }) => name)}
        />
        <Button disabled={found[0] === undefined} onClick={() => found[0] !== undefined && choose(found[0])}>
          Show{found.length > 1 && ` the first of ${found.length}`}
        </Button>
        <span className="flex-1" />
        {isRunning ? (
          <Button onClick={() => setRun(undefined)}>Cancel</Button>
        ) : (
          <Button
            tone="main"
            onClick={() => {
              setGains(none);
              setProgress(undefined);
              setRun((run ?? 0) + 1);
            }}
          >
            Rank nodes by damage
          </Button>
        )}
        <CopyCommand command="fairlead call pob.luaRankNodes" />
      </div>
      {run !== undefined && (
        <RankingRun
          key={run}
          session={session}
          progress={progress}
          onItems={(items) => {
            setGains((before) => {
              const next = new Map(before);
              for (const item of items) for (const { node, perPoint } of item.gains) next.set(node, perPoint);
              return next;
            });
            setProgress(items.at(-1));
          }}
        />
      )}
      <div className="grid items-start gap-5 lg:grid-cols-3">
        <Card className="overflow-hidden lg:col-span-2">
          <TreeCanvas
            layout={layout}
            taken={taken}
            added={added}
            removed={removed}
            gains={gains}
            chosen={chosen}
            onChoose={choose}
          />
          <p className="border-t border-line px-4 py-2 text-xs text-soft">
            <span className="text-accent">●</span> taken, <span className="text-warn">●</span> worth more the stronger
            it is, <span className="text-good">●</span> to take, <span className="text-bad">●</span> to give back
          </p>
        </Card>
        <div className="flex min-w-0 flex-col gap-5">
          <Chosen
            node={chosen}
            isTaken={chosen !== undefined && taken.has(chosen.id)}
            gain={chosen === undefined ? undefined : gains.get(chosen.id)}
            nodes={nodes}
            onNodes={onNodes}
          />
          {progress?.ranked != null && (
            <Best ranked={progress.ranked} onChoose={(id) => open({ ...search, node: String(id) })} />
          )}
        </div>
      </div>
    </div>
  );
};

interface RankingRunProps {
  readonly session: string | undefined;
  readonly progress: RankingItem | undefined;
  readonly onItems: (items: readonly RankingItem[]) => void;
}

/** Mounted, it runs; taken away, the work is stopped. */
const RankingRun = ({ session, progress, onItems }: RankingRunProps) => {
  const input = { ...(session !== undefined && { session }), maxPoints: 4, limit: 30 };
  const { problem } = api.useStream("luaFollowRanking", input, onItems);
  const { done = 0, total = 0, ranked } = progress ?? {};
  if (problem !== undefined) return <ErrorNote code="ranking" message={problem} />;
  return (
    <div>
      <progress className="sr-only" value={done} max={Math.max(1, total)} aria-label="Nodes that were tried" />
      <div aria-hidden="true" className="mb-1 overflow-hidden rounded-full bg-sunk">
        <div
          className="rounded-full bg-accent"
          style={{ width: `${total === 0 ? 0 : (100 * done) / total}%`, height: "6px" }}
        />
      </div>
      <p role="status" className="tabular text-xs text-soft">
        {ranked != null
          ? `All ${total} nodes within 4 points are tried.`
          : `${done} of ${total === 0 ? "…" : total} nodes are tried.`}
      </p>
    </div>
  );
};

interface ChosenProps {
  readonly node: LayoutNode | undefined;
  readonly isTaken: boolean;
  readonly gain: number | undefined;
  readonly nodes: NodeChanges;
  readonly onNodes: (nodes: NodeChanges) => void;
}

const Chosen = ({ node, isTaken, gain, nodes, onNodes }: ChosenProps) => {
  if (node === undefined)
    return (
      <Card title="A node">
        <p className="p-4 text-sm text-soft">
          Click a node, or find it by its name. What it would do is tried under What if.
        </p>
      </Card>
    );
  const { id, name, type, lines, ascendancy } = node;
  const [list, other] = isTaken ? (["remove", "give back"] as const) : (["add", "take"] as const);
  const isListed = nodes[list].includes(id);
  return (
    <Card title={<span className="break-words">{name === "" ? `Node ${id}` : name}</span>}>
      <div className="flex flex-col gap-3 p-4 text-sm">
        <p className="flex flex-wrap gap-2">
          <Badge tone={isTaken ? "accent" : "plain"}>{isTaken ? "taken" : "not taken"}</Badge>
          <Badge>{type}</Badge>
          {ascendancy !== undefined && <Badge>{ascendancy}</Badge>}
          <span className="tabular text-soft">id {id}</span>
        </p>
        <ul className="flex flex-col gap-1">
          {lines.map((line, at) => (
            <li key={at} className="break-words">
              {line}
            </li>
          ))}
        </ul>
        {gain !== undefined && <p className="tabular text-warn">{signed(gain)} damage for each point of the path</p>}
        <Button
          className="justify-center"
          onClick={() =>
            onNodes({ ...nodes, [list]: isListed ? nodes[list].filter((each) => each !== id) : [...nodes[list], id] })
          }
        >
          {isListed ? `Do not ${other} it` : `Plan to ${other} it`}
        </Button>
      </div>
    </Card>
  );
};

const Best = ({
  ranked,
  onChoose,
}: {
  readonly ranked: NonNullable<RankingItem["ranked"]>;
  readonly onChoose: (id: number) => void;
}) => (
  <Card title="The best for each point">
    <ol className="max-h-64 divide-y divide-line overflow-auto">
      {ranked.nodes.map(({ node, name, type, points, perPoint }) => (
        <li key={node}>
          <button
            type="button"
            onClick={() => onChoose(node)}
            className="flex w-full items-baseline justify-between gap-3 px-4 py-2 text-left text-sm hover:bg-sunk"
          >
            <span className="min-w-0 break-words">
              {name}{" "}
              <span className="text-xs text-soft">
                {type.toLowerCase()}, {points} point{points === 1 ? "" : "s"}
              </span>
            </span>
            <span className="tabular shrink-0 font-medium">+{changeText(perPoint)}</span>
          </button>
        </li>
      ))}
    </ol>
  </Card>
);
