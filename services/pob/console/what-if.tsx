/** A change that is tried first: what it would do to the stats, and what Path of Building would not take of it. Then it is made, or left. */
import {
  Badge,
  Button,
  Card,
  CopyCommand,
  ErrorNote,
  Mono,
  readCallError,
  TextArea,
  TextField,
  useMayCall,
} from "@fairlead/console/kit";
import { useState } from "react";
import { api, type BuildChanges, type WhatIf } from "./api.ts";
import { changeText, parseConfig, signed } from "./figures.ts";
import { Notices } from "./notices.tsx";

export interface NodeChanges {
  readonly add: readonly number[];
  readonly remove: readonly number[];
}

interface WhatIfProps {
  readonly session: string | undefined;
  readonly nodes: NodeChanges;
  readonly onNodes: (nodes: NodeChanges) => void;
  /** The build is another one now. */
  readonly onChanged: () => void;
}

const parseIds = (text: string): readonly number[] =>
  text
    .split(/[\s,]+/)
    .filter((each) => each !== "")
    .map(Number)
    .filter((each) => Number.isInteger(each) && each >= 0);

export const WhatIfPanel = ({ session, nodes, onNodes, onChanged }: WhatIfProps) => {
  const [level, setLevel] = useState("");
  const [slot, setSlot] = useState("");
  const [item, setItem] = useState("");
  const [gem, setGem] = useState("");
  const [config, setConfig] = useState("");
  const [asked, setAsked] = useState<BuildChanges | undefined>(undefined);
  const mayCall = useMayCall("pob");
  const options = parseConfig(config);
  const [, group, place, name] = /^\s*(\d+)\s*[.:/]\s*(\d+)\s+(.+?)\s*$/.exec(gem) ?? [];
  const changes: BuildChanges = {
    ...(session !== undefined && { session }),
    ...(nodes.add.length > 0 && { addNodes: [...nodes.add] }),
    ...(nodes.remove.length > 0 && { removeNodes: [...nodes.remove] }),
    ...(/^\d+$/.test(level.trim()) && { level: Number(level) }),
    ...(slot.trim() !== "" && { items: [{ slot: slot.trim(), ...(item.trim() !== "" && { text: item }) }] }),
    ...(name !== undefined && { gems: [{ group: Number(group), gem: Number(place), name }] }),
    ...(Object.keys(options).length > 0 && { config: options }),
  };
  const isEmpty = Object.keys(changes).every((key) => key === "session");
  const tried = api.useQuery("luaCalcWith", asked ?? {}, { enabled: asked !== undefined });
  const apply = api.useMutation("luaApply");
  const undo = api.useMutation("luaUndo");
  const why = mayCall ? undefined : "Your token may read and not act";
  const error = apply.error ?? undo.error ?? (asked === undefined ? null : tried.error);
  const done = {
    onSuccess: () => {
      setAsked(undefined);
      onNodes({ add: [], remove: [] });
      onChanged();
    },
  };
  return (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Card
        title="What would change with"
        actions={
          <CopyCommand
            command={`fairlead call pob.luaCalcWith -d '${JSON.stringify(changes).replaceAll("'", "'\\''")}'`}
          />
        }
      >
        <form
          className="flex flex-col gap-3 p-4"
          onSubmit={(event) => {
            event.preventDefault();
            setAsked(changes);
          }}
        >
          <TextField
            label="Nodes to take, by id; the tree adds them with a click"
            value={nodes.add.join(", ")}
            onChange={(text) => onNodes({ ...nodes, add: parseIds(text) })}
          />
          <TextField
            label="Nodes to give back"
            value={nodes.remove.join(", ")}
            onChange={(text) => onNodes({ ...nodes, remove: parseIds(text) })}
          />
          <div className="grid grid-cols-2 gap-3">
            <TextField label="Level" value={level} onChange={setLevel} placeholder="as it is" />
            <TextField
              label="A gem: group.place and name"
              value={gem}
              onChange={setGem}
              placeholder="1.2 Added Lightning Damage"
            />
          </div>
          <TextField label="Slot of an item" value={slot} onChange={setSlot} placeholder="Weapon 1" />
          <TextArea
            label="The item as the game copies it; empty takes it off"
            rows={4}
            value={item}
            onChange={setItem}
          />
          <TextField
            label="Options of the configuration"
            value={config}
            onChange={setConfig}
            placeholder="enemyIsBoss=Pinnacle"
          />
          <div className="flex flex-wrap gap-2">
            <Button tone="main" type="submit" disabled={isEmpty}>
              Try it
            </Button>
            <Button
              title={why}
              disabled={!mayCall || isEmpty || apply.isPending}
              onClick={() => {
                undo.reset();
                apply.mutate(changes, done);
              }}
            >
              Make the change
            </Button>
            <Button
              title={why}
              disabled={!mayCall || undo.isPending}
              onClick={() => {
                apply.reset();
                undo.mutate({ ...(session !== undefined && { session }) }, done);
              }}
            >
              Undo the last one
            </Button>
          </div>
          {error !== null && <ErrorNote {...readCallError(error)} />}
          {undo.data !== undefined && (
            <p role="status" className="text-sm text-soft break-words">
              Taken back: {undo.data.undone}; {undo.data.left} more can be.
            </p>
          )}
        </form>
      </Card>
      <Card title={asked === undefined ? "What it would do" : `What it would do: ${tried.data?.changed ?? "…"} stats`}>
        {asked === undefined ? (
          <p className="p-4 text-sm text-soft">
            Nothing is tried yet. Trying changes nothing: it is computed in a copy.
          </p>
        ) : (
          tried.data !== undefined && <Outcome outcome={tried.data} />
        )}
      </Card>
    </div>
  );
};

const Outcome = ({ outcome }: { readonly outcome: WhatIf }) => (
  <div className="flex flex-col gap-4 p-4">
    <table aria-label="Stats that change" className="tabular w-full text-sm">
      <thead>
        <tr className="border-b border-line text-left text-xs text-soft">
          <th scope="col">Stat</th>
          <th scope="col" className="text-right">
            Now
          </th>
          <th scope="col" className="text-right">
            Then
          </th>
          <th scope="col" className="text-right">
            Difference
          </th>
        </tr>
      </thead>
      <tbody>
        {outcome.changes.map(({ name, old, new: then, delta }) => (
          <tr key={name}>
            <td className="py-0.5">
              <Mono>{name}</Mono>
            </td>
            <td className="text-right text-soft">{changeText(old)}</td>
            <td className="text-right">{changeText(then)}</td>
            <td className="text-right font-medium">{delta === null ? "" : signed(delta)}</td>
          </tr>
        ))}
      </tbody>
    </table>
    {outcome.changes.length === 0 && <p className="text-sm text-soft">No stat changes.</p>}
    {outcome.dropped.length > 0 && (
      <ul className="flex flex-col gap-1 text-sm">
        {outcome.dropped.map(({ node, why }) => (
          <li key={node}>
            <Badge tone="warn">not taken</Badge> node {node}: {why.replaceAll("_", " ")}
          </li>
        ))}
      </ul>
    )}
    <Notices notices={outcome.notices} />
  </div>
);
