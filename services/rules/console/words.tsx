/** What a player says in their own words: the call that a classifier chooses, beside what the rules make of it. */
import {
  Badge,
  Button,
  Card,
  CopyCommand,
  ErrorNote,
  Mono,
  readCallError,
  TextArea,
  useMayCall,
} from "@fairlead/console/kit";
import { useState } from "react";
import { api, type Classification } from "./api.ts";
import { ResultView } from "./result-view.tsx";
import { type Setup, toGame } from "./setup.ts";
import type { useCreatures } from "./use-creatures.ts";

interface WordsProps {
  readonly setup: Setup;
  readonly sides: ReturnType<typeof useCreatures>;
}

export const Words = ({ setup, sides: { actor, target } }: WordsProps) => {
  const [text, setText] = useState("I slip behind the goblin and stab it with my rapier.");
  const mayCall = useMayCall("rules");
  const classify = api.useMutation("playerRoll");
  const game =
    actor.creature === undefined || target.creature === undefined
      ? undefined
      : toGame(setup, { actor: actor.creature, target: target.creature });
  const input = {
    playerInput: text,
    gameState: { edition: setup.edition, player: game?.player, story: { activeNPCs: game?.npcs } },
  } as never;
  return (
    <Card
      title="Or say it in words"
      actions={
        <CopyCommand
          command={`fairlead call rules.playerRoll -d '${JSON.stringify(input).replaceAll("'", "'\\''")}'`}
        />
      }
    >
      <div className="flex flex-col gap-3 p-4">
        <TextArea label="What the player says" rows={2} value={text} onChange={setText} />
        <div className="flex flex-wrap items-center gap-3">
          <Button
            tone="main"
            title={mayCall ? undefined : "Your token may read and not act"}
            disabled={!mayCall || game === undefined || text.trim() === "" || classify.isPending}
            onClick={() => classify.mutate(input)}
          >
            Classify and roll
          </Button>
          <span className="text-sm text-soft">
            A model chooses the call where one is configured, a grammar of plain English elsewhere. The numbers are the
            rules'.
          </span>
        </div>
        {classify.error !== null && <ErrorNote {...readCallError(classify.error)} />}
      </div>
      {classify.data !== undefined && (
        <div className="grid items-start border-t border-line lg:grid-cols-2">
          <Choice {...classify.data} />
          <section aria-label="Computed" className="min-w-0 border-line">
            <h3 className="px-4 pt-4 text-sm font-semibold">What the rules compute</h3>
            <ResultView result={classify.data.parsed} />
          </section>
        </div>
      )}
    </Card>
  );
};

const Choice = ({ question, classifier, rulesCost, tokensUsed }: Classification) => (
  <section aria-label="Chosen" className="min-w-0 p-4">
    <h3 className="text-sm font-semibold">What was chosen</h3>
    <p className="mt-2 flex flex-wrap items-center gap-2">
      <Badge tone={classifier.rejected === undefined ? "accent" : "warn"}>{question.procedure}</Badge>
      <span className="text-sm text-soft">
        {classifier.model === "offline" ? "by the grammar, offline" : `by ${classifier.model}`}
      </span>
    </p>
    {classifier.rejected !== undefined && (
      <p className="mt-2 text-sm text-warn">
        Nothing was rolled: <Mono>{classifier.rejected}</Mono>
      </p>
    )}
    <dl className="mt-3 flex flex-col gap-2 text-sm">
      {Object.entries(question.intent).map(([name, value]) => (
        <div key={name}>
          <dt className="text-xs text-soft">{name}</dt>
          <dd className="break-words">{Array.isArray(value) ? value.join(", ") : String(value)}</dd>
        </div>
      ))}
      {classifier.dc !== undefined && (
        <div>
          <dt className="text-xs text-soft">Difficulty, the one number that is taken from a model</dt>
          <dd className="tabular">
            {classifier.dc.used} ({classifier.dc.label}), asked for {classifier.dc.asked}
          </dd>
        </div>
      )}
    </dl>
    <p className="tabular mt-3 text-xs text-soft">
      {tokensUsed.input + tokensUsed.output === 0
        ? "It cost nothing"
        : `${tokensUsed.input} and ${tokensUsed.output} tokens, ${rulesCost.toFixed(4)} US dollars`}
    </p>
  </section>
);
