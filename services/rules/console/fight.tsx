/** One fight that is kept: who is next, what everybody has left, what may be done now, and what happened. */
import { Badge, Button, Card, CopyCommand, ErrorNote, Mono, readCallError, useMayCall } from "@fairlead/console/kit";
import { useCallback, useEffect, useRef, useState } from "react";
import { api, type Encounter, type Result } from "./api.ts";
import { Creatures } from "./creatures.tsx";
import { FightAction } from "./fight-action.tsx";
import { FightLog } from "./fight-log.tsx";
import { Refused } from "./refused.tsx";
import { ResultView } from "./result-view.tsx";

interface FightProps {
  readonly handle: string;
  readonly onLeave: () => void;
}

const names = ["encounterState", "encounterLog", "encounterOdds"] as const;

export const Fight = ({ handle, onLeave }: FightProps) => {
  const { data: state, error } = api.useQuery("encounterState", { encounter: handle }, { every: 4_000 });
  const refreshOne = api.useRefresh();
  const refresh = useCallback(() => {
    for (const name of names) refreshOne(name);
  }, [refreshOne]);
  const known = useRef<number | undefined>(undefined);
  const version = state?.version;
  useEffect(() => {
    // Somebody else has acted: the log and the odds are of before.
    if (known.current !== undefined && known.current !== version) refresh();
    known.current = version;
  }, [version, refresh]);
  const [result, setResult] = useState<Result | undefined>(undefined);
  if (state === undefined)
    return (
      <div className="flex flex-col gap-3">
        {error !== null && <ErrorNote {...readCallError(error)} />}
        <Button className="self-start" onClick={onLeave}>
          All fights
        </Button>
      </div>
    );
  const rolled = result !== undefined && (
    <Card title="What was rolled">
      <ResultView result={result} />
    </Card>
  );
  return (
    <div className="flex flex-col gap-5">
      <Head state={state} onLeave={onLeave} onDone={refresh} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <Creatures state={state} />
          <FightLog handle={handle} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          {state.reactions !== undefined && <Reactions state={state} onDone={refresh} onResult={setResult} />}
          {state.over ? (
            rolled
          ) : (
            <FightAction state={state} onDone={refresh} onResult={setResult}>
              {rolled}
            </FightAction>
          )}
        </div>
      </div>
    </div>
  );
};

interface HeadProps {
  readonly state: Encounter;
  readonly onLeave: () => void;
  readonly onDone: () => void;
}

const Head = ({ state, onLeave, onDone }: HeadProps) => {
  const { encounter, version, round, turn, creatures, over, edition, actions, events } = state;
  const mayCall = useMayCall("rules");
  const endTurn = api.useMutation("endTurn");
  const undo = api.useMutation("undoAction");
  const end = api.useMutation("endEncounter");
  const current = creatures.find(({ id }) => id === turn);
  const latest = [endTurn, undo, end].find(({ error }) => error !== null)?.error ?? null;
  const done = { onSettled: onDone };
  // What failed before is not said beside what succeeds now.
  const clear = (): void => {
    for (const each of [endTurn, undo, end]) each.reset();
  };
  const said = (endTurn.data ?? undo.data)?.events ?? events;
  const why = mayCall ? undefined : "Your token may read and not act";
  const isBusy = endTurn.isPending || undo.isPending || end.isPending;
  return (
    <Card
      title={
        <>
          {over ? "The fight is over" : `Round ${round}: ${current?.name ?? turn}`}{" "}
          <span className="font-mono text-xs text-soft">{encounter}</span>
        </>
      }
      actions={<Button onClick={onLeave}>All fights</Button>}
    >
      <div className="flex flex-col gap-3 p-4">
        <div className="flex flex-wrap items-center gap-2">
          <Badge tone="accent">version {version}</Badge>
          <Badge>SRD {edition}</Badge>
          {!over && (
            <>
              <Badge tone={actions.attacks > 0 ? "good" : "plain"}>
                {actions.attacks} attack{actions.attacks === 1 ? "" : "s"} left
              </Badge>
              <Badge tone={actions.bonus ? "good" : "plain"}>bonus action {actions.bonus ? "free" : "used"}</Badge>
            </>
          )}
          <span className="flex-1" />
          <Button
            tone="main"
            title={why}
            disabled={!mayCall || over || isBusy || state.reactions !== undefined}
            onClick={() => {
              clear();
              endTurn.mutate({ encounter, version }, done);
            }}
          >
            End turn
          </Button>
          <Button
            title={why}
            disabled={!mayCall || isBusy}
            onClick={() => {
              clear();
              undo.mutate({ encounter, version }, done);
            }}
          >
            Undo
          </Button>
          <Button
            tone="danger"
            title={why}
            disabled={!mayCall || over || isBusy}
            onClick={() => {
              clear();
              end.mutate({ encounter }, done);
            }}
          >
            End fight
          </Button>
          <CopyCommand command={`fairlead call rules.encounterState -d '{"encounter":"${encounter}"}'`} />
        </div>
        <p role="status" className="min-h-5 text-sm break-words">
          {said.join(". ")}
        </p>
        {latest !== null && <Refused error={latest} />}
      </div>
    </Card>
  );
};

interface ReactionsProps {
  readonly state: Encounter;
  readonly onDone: () => void;
  readonly onResult: (result: Result) => void;
}

const Reactions = ({ state, onDone, onResult }: ReactionsProps) => {
  const { encounter, version, reactions = [], creatures } = state;
  const mayCall = useMayCall("rules");
  const react = api.useMutation("attack");
  const decline = api.useMutation("noCheck");
  const done = { onSuccess: onResult, onSettled: onDone };
  const name = (id: string): string => creatures.find((each) => each.id === id)?.name ?? id;
  const error = react.error ?? decline.error;
  const isBusy = !mayCall || react.isPending || decline.isPending;
  return (
    <Card title="Somebody may react: the action waits">
      <div role="alert" className="flex flex-col gap-3 p-4">
        {reactions.map(({ actor, weapon, to }) => (
          <div key={`${actor} ${weapon}`} className="flex flex-wrap items-center gap-3">
            <Button
              tone="main"
              disabled={isBusy}
              onClick={() => react.mutate({ encounter, version, actor, weapon, target: actor }, done)}
            >
              {name(actor)}: {weapon}
            </Button>
            <span className="min-w-0 text-sm text-soft break-words">
              answers <Mono>{to}</Mono>
            </span>
          </div>
        ))}
        <Button
          className="self-start"
          disabled={isBusy}
          onClick={() => decline.mutate({ encounter, reason: "None reacts." }, done)}
        >
          None reacts
        </Button>
        {error !== null && <Refused error={error} />}
      </div>
    </Card>
  );
};
