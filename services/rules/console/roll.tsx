/** A roll by value: two creatures, what one of them does, its exact odds, the roll with its rules, and its proof. Nothing is kept and nothing changes. */
import {
  Badge,
  Button,
  Card,
  ChoiceField,
  CopyCommand,
  Empty,
  ErrorNote,
  NumberField,
  readCallError,
  TextField,
  usePageSearch,
} from "@fairlead/console/kit";
import { useEffect, useState } from "react";
import { api, type Result } from "./api.ts";
import { CreatureCard } from "./creature-card.tsx";
import { OddsView } from "./odds-chart.tsx";
import { ResultView } from "./result-view.tsx";
import {
  type Dice,
  readDice,
  readSetup,
  rollingQuestion,
  type Setup,
  setupSearch,
  toGame,
  toQuestion,
} from "./setup.ts";
import { abilities, listText } from "./sheet.ts";
import { useCreatures } from "./use-creatures.ts";
import { useSettled } from "./use-settled.ts";
import { Words } from "./words.tsx";

const command = (procedure: string, input: unknown): string =>
  `fairlead call rules.${procedure} -d '${JSON.stringify(input).replaceAll("'", "'\\''")}'`;

export const Roll = () => {
  const [search, open] = usePageSearch();
  const rolled = readSetup(search);
  const dice = readDice(search);
  const address = JSON.stringify(setupSearch(rolled));
  const [setup, setSetup] = useState(rolled);
  // Back and forward in the browser bring back what was asked then.
  useEffect(() => setSetup(readSetup(JSON.parse(address))), [address]);
  const asked = useSettled(setup);
  const sides = useCreatures(asked);
  const roll = (faces: string): void => {
    const from = faces.trim() === "" ? { seed: crypto.randomUUID().slice(0, 8) } : { dice: faces };
    open({ ...setupSearch(setup), ...from });
  };
  return (
    <div className="flex flex-col gap-5">
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <CreatureCard
          title="Who acts"
          side={setup.actor}
          edition={setup.edition}
          creature={sides.actor.creature}
          error={sides.actor.error}
          onChange={(actor) => setSetup({ ...setup, actor })}
        />
        <CreatureCard
          title="On which creature"
          side={setup.target}
          edition={setup.edition}
          creature={sides.target.creature}
          error={sides.target.error}
          onChange={(target) => setSetup({ ...setup, target })}
        />
      </div>
      <ActionForm setup={setup} attacks={sides.actor.creature?.attacks ?? []} onChange={setSetup} onRoll={roll} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Before setup={asked} rolled={dice === undefined ? undefined : { setup: rolled, dice }} />
        <After setup={rolled} dice={dice} />
      </div>
      <Words setup={setup} sides={sides} />
    </div>
  );
};

interface ActionFormProps {
  readonly setup: Setup;
  readonly attacks: readonly string[];
  readonly onChange: (setup: Setup) => void;
  readonly onRoll: (faces: string) => void;
}

const skills =
  "Acrobatics,Animal Handling,Arcana,Athletics,Deception,History,Insight,Intimidation,Investigation,Medicine,Nature,Perception,Performance,Persuasion,Religion,Sleight of Hand,Stealth,Survival".split(
    ",",
  );

const ActionForm = ({ setup, attacks, onChange, onRoll }: ActionFormProps) => {
  const [faces, setFaces] = useState("");
  const { deed, actor } = setup;
  const spells =
    actor.kind === "sheet"
      ? [...listText(actor.sheet, "cantrips").split(", "), ...listText(actor.sheet, "knownSpells").split(", ")]
      : [];
  return (
    <Card title="What is tried">
      <form
        className="grid items-end gap-3 p-4 sm:grid-cols-3 lg:grid-cols-5"
        onSubmit={(event) => {
          event.preventDefault();
          onRoll(faces);
        }}
      >
        <ChoiceField
          label="Action"
          value={deed}
          options={[
            ["attack", "An attack or a spell"],
            ["check", "A skill check"],
            ["save", "A saving throw"],
          ]}
          onChange={(next) => onChange({ ...setup, deed: next })}
        />
        {deed === "attack" && (
          <>
            <TextField
              label="Weapon or spell"
              value={setup.weapon}
              options={[...attacks, ...spells.filter((spell) => spell !== "")]}
              onChange={(weapon) => onChange({ ...setup, weapon })}
            />
            <TextField
              label="Claims, like Sneak Attack"
              value={setup.claims}
              onChange={(claims) => onChange({ ...setup, claims })}
            />
          </>
        )}
        {deed === "check" && (
          <TextField
            label="Skill"
            value={setup.skill}
            options={skills}
            onChange={(skill) => onChange({ ...setup, skill })}
          />
        )}
        {deed === "save" && (
          <ChoiceField
            label="Ability"
            value={abilities.find((ability) => ability === setup.ability) ?? "dexterity"}
            options={abilities.map((ability) => [ability, ability] as const)}
            onChange={(ability) => onChange({ ...setup, ability })}
          />
        )}
        {deed !== "attack" && (
          <NumberField
            label="Difficulty Class"
            value={setup.dc}
            least={1}
            most={30}
            onChange={(dc) => onChange({ ...setup, dc })}
          />
        )}
        <ChoiceField
          label="The table gives"
          value={setup.stance}
          options={[
            ["as it is", "nothing more"],
            ["advantage", "advantage"],
            ["disadvantage", "disadvantage"],
          ]}
          onChange={(stance) => onChange({ ...setup, stance })}
        />
        <ChoiceField
          label="Edition"
          value={setup.edition}
          options={[
            ["5.1", "SRD 5.1 (2014)"],
            ["5.2", "SRD 5.2 (2024)"],
          ]}
          onChange={(edition) => onChange({ ...setup, edition })}
        />
        {deed === "attack" && (
          <ChoiceField
            label="An ally beside the target"
            value={setup.engaged ? "yes" : "no"}
            options={[
              ["yes", "yes"],
              ["no", "no"],
            ]}
            onChange={(engaged) => onChange({ ...setup, engaged: engaged === "yes" })}
          />
        )}
        <TextField
          label="Dice of the table, else a new seed"
          value={faces}
          placeholder="15, 6, 3"
          onChange={setFaces}
          className="sm:col-span-2"
        />
        <Button tone="main" type="submit" className="justify-center">
          Roll
        </Button>
      </form>
    </Card>
  );
};

interface RollSetup {
  readonly setup: Setup;
  readonly dice: Dice;
}

const useRolled = ({ setup, dice }: { readonly setup: Setup; readonly dice: Dice | undefined }) => {
  const { actor, target } = useCreatures(setup);
  const isReady = dice !== undefined && actor.creature !== undefined && target.creature !== undefined;
  const question =
    isReady && actor.creature !== undefined && target.creature !== undefined
      ? rollingQuestion(
          toGame(setup, { actor: actor.creature, target: target.creature }),
          toQuestion(setup, target.creature.name),
          dice,
        )
      : undefined;
  const on = (name: string): boolean => question?.procedure === name;
  // A named boundary: the three procedures answer the same fields, and are asked what `rollingQuestion` made for them.
  const input = (question?.input ?? {}) as never;
  const answers = [
    api.useQuery("resolveAttack", input, { enabled: on("resolveAttack") }),
    api.useQuery("resolveSkillCheck", input, { enabled: on("resolveSkillCheck") }),
    api.useQuery("resolveSavingThrow", input, { enabled: on("resolveSavingThrow") }),
  ];
  const answer = answers.find((_, index) =>
    on(["resolveAttack", "resolveSkillCheck", "resolveSavingThrow"][index] ?? ""),
  );
  return { question, result: answer?.data as Result | undefined, error: answer?.error ?? null };
};

const Before = ({ setup, rolled }: { readonly setup: Setup; readonly rolled: RollSetup | undefined }) => {
  const { actor, target } = useCreatures(setup);
  const after = useRolled({ setup: rolled?.setup ?? setup, dice: rolled?.dice });
  const isSame = rolled !== undefined && JSON.stringify(rolled.setup) === JSON.stringify(setup);
  const isReady = actor.creature !== undefined && target.creature !== undefined;
  const input = isReady
    ? {
        game: toGame(setup, { actor: actor.creature, target: target.creature }),
        question: toQuestion(setup, target.creature.name),
      }
    : undefined;
  const { data, error } = api.useQuery("odds", (input ?? {}) as never, { enabled: input !== undefined });
  const value = data?.measured === "damage" ? (after.result?.damage?.totalDamage ?? 0) : after.result?.total;
  return (
    <section aria-label="Before" className="min-w-0">
      <header className="mb-3 flex items-center justify-between gap-3">
        <h2 className="text-base font-semibold">Before: exact odds</h2>
        {input !== undefined && <CopyCommand command={command("odds", input)} />}
      </header>
      {error !== null && <ErrorNote {...readCallError(error)} />}
      {data !== undefined && error === null && (
        <OddsView odds={data} rolled={isSame && after.result !== undefined ? value : undefined} />
      )}
    </section>
  );
};

const After = ({ setup, dice }: { readonly setup: Setup; readonly dice: Dice | undefined }) => {
  const { question, result, error } = useRolled({ setup, dice });
  return (
    <section aria-label="After" className="min-w-0">
      <header className="mb-3 flex items-center justify-between gap-3">
        <h2 className="text-base font-semibold">After: what was rolled</h2>
        {question !== undefined && <CopyCommand command={command(question.procedure, question.input)} />}
      </header>
      <Card>
        {dice === undefined && (
          <Empty title="Nothing is rolled yet">
            Roll, and the dice appear here with the rule behind each number. The address of the page then shows the same
            roll to anybody.
          </Empty>
        )}
        {error !== null && (
          <div className="p-4">
            <ErrorNote {...readCallError(error)} />
          </div>
        )}
        {result !== undefined && question !== undefined && (
          <>
            <ResultView result={result} />
            <Proof key={JSON.stringify(question)} question={question} result={result} />
          </>
        )}
      </Card>
    </section>
  );
};

const Proof = ({
  question,
  result,
}: {
  readonly question: NonNullable<ReturnType<typeof useRolled>["question"]>;
  readonly result: Result;
}) => {
  const [isAsked, setAsked] = useState(false);
  const input = { question, result: { ...result } };
  const { data, error } = api.useQuery("replay", input as never, { enabled: isAsked });
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-3 border-t border-line px-4 py-3">
      <Button onClick={() => setAsked(true)}>Replay it</Button>
      <span role="status" className="min-w-0 flex-1 text-sm break-words">
        {data?.proved === true && (
          <>
            <Badge tone="good">● Proved</Badge> The same call with the same dice gives the same result, field by field.
          </>
        )}
        {data?.proved === false && (
          <>
            <Badge tone="bad">✕ It differs</Badge> {data.differences.map(({ path }) => path).join(", ")}
          </>
        )}
        {!isAsked && <span className="text-soft">The server computes it again from its dice and compares.</span>}
      </span>
      {error !== null && <ErrorNote {...readCallError(error)} />}
    </div>
  );
};
