/** What somebody does in a fight: the action, its exact odds as the fight is now, and the roll, which applies its changes. */
import {
  Button,
  Card,
  ChoiceField,
  CopyCommand,
  ErrorNote,
  NumberField,
  readCallError,
  TextField,
  useMayCall,
} from "@fairlead/console/kit";
import { type ReactNode, useState } from "react";
import { api, type Encounter, type EncounterCreature, type OddsQuestion, type Result } from "./api.ts";
import { OddsView } from "./odds-chart.tsx";
import { Refused } from "./refused.tsx";
import { asAbility, asSkill } from "./setup.ts";
import { abilities, parseList } from "./sheet.ts";
import { useSettled } from "./use-settled.ts";

interface FightActionProps {
  readonly state: Encounter;
  readonly onDone: () => void;
  readonly onResult: (result: Result) => void;
  /** Shown between the action and its odds. */
  readonly children: ReactNode;
}

interface Intention {
  readonly deed: "attack" | "check" | "save";
  readonly actor: string | undefined;
  readonly weapon: string | undefined;
  readonly target: string | undefined;
  readonly claims: string;
  readonly cost: "action" | "bonus" | "reaction";
  readonly skill: string;
  readonly ability: string;
  readonly dc: number;
}

const first: Intention = {
  deed: "attack",
  actor: undefined,
  weapon: undefined,
  target: undefined,
  claims: "",
  cost: "action",
  skill: "Perception",
  ability: "dexterity",
  dc: 15,
};

/** What a creature acts with: its attacks, what makes others save, and its legendary actions. */
const means = ({ attacks, effects = [], legendary }: EncounterCreature): readonly string[] => [
  ...attacks,
  ...effects.map(({ name }) => name),
  ...(legendary?.actions ?? []).map(({ name }) => name),
];

const toQuestion = ({ deed, weapon, target, claims, skill, ability, dc }: Intention): OddsQuestion => {
  const sources = parseList(claims);
  if (deed === "check") return { kind: "check", intent: { skill: asSkill(skill), dc } };
  if (deed === "save") return { kind: "save", intent: { ability: asAbility(ability), dc } };
  return {
    kind: "attack",
    intent: {
      weapon: weapon ?? "",
      target: target ?? "",
      ...(sources.length > 0 && { extra_damage_sources: [...sources] }),
    },
  };
};

export const FightAction = ({ state, onDone, onResult, children }: FightActionProps) => {
  const { encounter, version, creatures, turn } = state;
  const [typed, setTyped] = useState(first);
  const actor = creatures.find(({ id }) => id === (typed.actor ?? turn)) ?? creatures.find(({ id }) => id === turn);
  const known = actor === undefined ? [] : means(actor);
  const enemies = creatures.filter(({ side, hp }) => side !== actor?.side && hp > 0);
  const intended: Intention = {
    ...typed,
    actor: actor?.id,
    weapon: typed.weapon ?? known[0],
    target: typed.target ?? enemies[0]?.id,
  };
  const { deed, cost } = intended;
  const change = (part: Partial<Intention>): void => setTyped({ ...typed, ...part });
  const mayCall = useMayCall("rules");
  const attack = api.useMutation("attack");
  const check = api.useMutation("skillCheck");
  const save = api.useMutation("savingThrow");
  const isBusy = attack.isPending || check.isPending || save.isPending;
  const error = { attack, check, save }[deed].error;
  const question = toQuestion(intended);
  const shared = { encounter, version, actor: intended.actor, ...(cost !== "action" && { scene: { attack: cost } }) };
  const done = { onSuccess: onResult, onSettled: onDone };
  const act = (): void => {
    if (question.kind === "attack") attack.mutate({ ...question.intent, ...shared }, done);
    if (question.kind === "check") check.mutate({ ...question.intent, ...shared }, done);
    if (question.kind === "save") save.mutate({ ...question.intent, ...shared }, done);
  };
  const isArea = actor?.effects?.some(({ name }) => name === intended.weapon) === true;
  return (
    <>
      <Card
        title="What is done"
        actions={
          <CopyCommand
            command={`fairlead call rules.${{ attack: "attack", check: "skillCheck", save: "savingThrow" }[deed]} -d '${JSON.stringify({ ...question.intent, ...shared }).replaceAll("'", "'\\''")}'`}
          />
        }
      >
        <form
          className="grid items-end gap-3 p-4 sm:grid-cols-3"
          onSubmit={(event) => {
            event.preventDefault();
            act();
          }}
        >
          <ChoiceField
            label="Who"
            value={intended.actor ?? turn}
            options={creatures.map(
              ({ id, name }) => [id, id === turn ? `${name} (its turn)` : `${name} (${id})`] as const,
            )}
            onChange={(id) => change({ actor: id, weapon: undefined, target: undefined })}
          />
          <ChoiceField
            label="Does"
            value={deed}
            options={[
              ["attack", "an attack or a spell"],
              ["check", "a skill check"],
              ["save", "a saving throw"],
            ]}
            onChange={(next) => change({ deed: next })}
          />
          {deed === "attack" && (
            <>
              <TextField
                label="With"
                value={intended.weapon ?? ""}
                options={known}
                onChange={(weapon) => change({ weapon })}
              />
              <TextField
                label="On; several with `;`"
                value={intended.target ?? ""}
                options={creatures.map(({ id }) => id)}
                onChange={(target) => change({ target })}
              />
              <TextField label="Claims" value={intended.claims} onChange={(claims) => change({ claims })} />
              <ChoiceField
                label="Takes"
                value={cost}
                options={[
                  ["action", "the action"],
                  ["bonus", "the bonus action"],
                  ["reaction", "the reaction"],
                ]}
                onChange={(next) => change({ cost: next })}
              />
            </>
          )}
          {deed === "check" && (
            <TextField label="Skill" value={intended.skill} onChange={(skill) => change({ skill })} />
          )}
          {deed === "save" && (
            <ChoiceField
              label="Ability"
              value={abilities.find((each) => each === intended.ability) ?? "dexterity"}
              options={abilities.map((each) => [each, each] as const)}
              onChange={(ability) => change({ ability })}
            />
          )}
          {deed !== "attack" && (
            <NumberField
              label="Difficulty Class"
              value={intended.dc}
              least={1}
              most={30}
              onChange={(dc) => change({ dc })}
            />
          )}
          <Button
            tone="main"
            type="submit"
            className="justify-center"
            title={mayCall ? undefined : "Your token may read and not act"}
            disabled={!mayCall || isBusy || state.reactions !== undefined}
          >
            Roll it
          </Button>
        </form>
        {error !== null && (
          <div className="px-4 pb-4">
            <Refused error={error} />
          </div>
        )}
      </Card>
      {children}
      {isArea ? (
        <p className="text-sm text-soft">{intended.weapon} makes others save: its odds are not computed.</p>
      ) : (
        <FightOdds encounter={encounter} actor={intended.actor} question={question} />
      )}
    </>
  );
};

const FightOdds = ({
  encounter,
  actor,
  question,
}: {
  readonly encounter: string;
  readonly actor: string | undefined;
  readonly question: OddsQuestion;
}) => {
  const asked = useSettled({ encounter, ...(actor !== undefined && { actor }), question });
  const isWhole =
    asked.question.kind !== "attack" || (asked.question.intent.weapon !== "" && asked.question.intent.target !== "");
  const { data, error } = api.useQuery("encounterOdds", asked, { enabled: isWhole });
  if (error !== null) return <ErrorNote {...readCallError(error)} />;
  return data === undefined ? null : <OddsView odds={data} />;
};
