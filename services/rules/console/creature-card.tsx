/** One of the two creatures: a sheet that is written here, or a monster of the SRD that is looked for by name. */
import {
  Badge,
  Button,
  Card,
  ChoiceField,
  ErrorNote,
  NumberField,
  readCallError,
  TextArea,
  TextField,
} from "@fairlead/console/kit";
import { useEffect, useState } from "react";
import { api, type CreatureByValue, type Edition } from "./api.ts";
import type { Side } from "./setup.ts";
import {
  abilities,
  abilityScore,
  featuresText,
  listFields,
  listText,
  parseSheet,
  readNumber,
  sheets,
  type TypedSheet,
  withAbility,
  withFeatures,
  withList,
} from "./sheet.ts";
import { useSettled } from "./use-settled.ts";

interface CreatureCardProps {
  readonly title: string;
  readonly side: Side;
  readonly edition: Edition;
  /** As the rules know it; `undefined` while that is not answered. */
  readonly creature: CreatureByValue | undefined;
  readonly error: Error | null;
  readonly onChange: (side: Side) => void;
}

const [firstSheet] = sheets;

export const CreatureCard = ({ title, side, edition, creature, error, onChange }: CreatureCardProps) => (
  <Card title={title} actions={<Begin onChange={onChange} />}>
    <div className="flex flex-col gap-3 p-4">
      <ChoiceField
        label="What it is"
        value={side.kind}
        options={[
          ["sheet", "A sheet"],
          ["monster", "A monster of the SRD"],
        ]}
        onChange={(kind) =>
          onChange(
            kind === "monster"
              ? { kind, name: "Goblin" }
              : { kind, sheet: firstSheet ?? { name: "Somebody", characterClass: "Fighter", level: 1, maxHP: 10 } },
          )
        }
      />
      {side.kind === "monster" ? (
        <MonsterField name={side.name} edition={edition} onChange={(name) => onChange({ kind: "monster", name })} />
      ) : (
        <SheetFields sheet={side.sheet} onChange={(sheet) => onChange({ kind: "sheet", sheet })} />
      )}
      {error !== null && <ErrorNote {...readCallError(error)} />}
      {/* Always as tall, so that nothing below moves while it is asked for. */}
      <div className="flex h-12 flex-wrap items-center gap-2 overflow-hidden text-sm">
        {creature !== undefined && (
          <>
            <Badge tone="accent">AC {creature.ac}</Badge>
            <Badge tone="accent">{creature.maxHp} hit points</Badge>
            <span className="min-w-0 truncate text-soft">{creature.attacks.join(", ")}</span>
          </>
        )}
      </div>
      {creature !== undefined && creature.leftOut.length > 0 && (
        <p className="text-xs text-warn break-words">Followed in a fight only: {creature.leftOut.join("; ")}.</p>
      )}
    </div>
  </Card>
);

const Begin = ({ onChange }: Pick<CreatureCardProps, "onChange">) => (
  <div className="flex flex-wrap gap-1">
    {sheets.map((sheet) => (
      <Button key={sheet.name} onClick={() => onChange({ kind: "sheet", sheet })}>
        {sheet.name}
      </Button>
    ))}
  </div>
);

const MonsterField = ({
  name,
  edition,
  onChange,
  label = "Name",
}: {
  readonly name: string;
  readonly edition: Edition;
  readonly onChange: (name: string) => void;
  readonly label?: string;
}) => {
  const text = useSettled(name);
  const { data } = api.useQuery("monsters", { edition, text, limit: 50 });
  const known = data?.found ?? [];
  const isFound = known.some((each) => each.name === name);
  return (
    <div>
      <TextField
        label={label}
        value={name}
        onChange={onChange}
        options={known.map((each) => each.name)}
        placeholder="Goblin, or a type like dragon"
      />
      {/* Two lines of suggestions, whether there are any or not. */}
      <ul aria-label="Monsters that fit" className="mt-2 flex h-16 flex-wrap gap-1 overflow-hidden">
        {!isFound && data?.total === 0 && <li className="text-sm text-warn">Nothing in the SRD {edition} fits.</li>}
        {known.map((each) => (
          <li key={each.name}>
            <button
              type="button"
              onClick={() => onChange(each.name)}
              aria-pressed={each.name === name}
              className={`rounded-full border px-2 py-0.5 text-xs ${each.name === name ? "border-accent bg-accent-soft text-accent" : "border-line text-soft hover:border-accent"}`}
            >
              {each.name} <span aria-hidden="true">·</span> CR {each.challenge}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};

const SheetFields = ({
  sheet,
  onChange,
}: {
  readonly sheet: TypedSheet;
  readonly onChange: (sheet: TypedSheet) => void;
}) => (
  <>
    <div className="grid grid-cols-3 gap-3">
      <TextField label="Name" value={sheet.name} onChange={(name) => onChange({ ...sheet, name })} />
      <TextField
        label="Class"
        value={String(sheet.characterClass ?? "")}
        onChange={(characterClass) => onChange({ ...sheet, characterClass })}
      />
      <NumberField
        label="Level"
        value={readNumber(sheet.level, 1)}
        least={1}
        most={20}
        onChange={(level) => onChange({ ...sheet, level })}
      />
      <NumberField
        label="Armor Class"
        value={readNumber(sheet.armorClass, 10)}
        least={1}
        most={40}
        onChange={(armorClass) => onChange({ ...sheet, armorClass })}
      />
      <NumberField
        label="Hit points"
        value={readNumber(sheet.maxHP, 1)}
        least={1}
        most={1_000}
        onChange={(maxHP) => onChange({ ...sheet, maxHP, currentHP: maxHP })}
      />
      <TypedText
        label="Weapons and belongings"
        value={listText(sheet, "inventory")}
        onChange={(text) => onChange(withList(sheet, "inventory", text))}
      />
    </div>
    <details>
      <summary className="cursor-pointer text-sm text-soft">Abilities, features, spells, and the sheet as JSON</summary>
      <div className="mt-3 flex flex-col gap-3">
        <div className="grid grid-cols-3 gap-3">
          {abilities.map((ability) => (
            <NumberField
              key={ability}
              label={ability}
              value={abilityScore(sheet, ability)}
              least={1}
              most={30}
              onChange={(score) => onChange(withAbility(sheet, ability, score))}
            />
          ))}
        </div>
        <TypedText
          label="Features, with `;` between them"
          value={featuresText(sheet)}
          onChange={(text) => onChange(withFeatures(sheet, text))}
        />
        {listFields.slice(1).map(([field, label]) => (
          <TypedText
            key={field}
            label={label}
            value={listText(sheet, field)}
            onChange={(text) => onChange(withList(sheet, field, text))}
          />
        ))}
        <SheetJson sheet={sheet} onChange={onChange} />
      </div>
    </details>
  </>
);

const withoutMarks = (text: string): string => text.replaceAll(/[\s,;:]/g, "");

/** What is typed stays as it is typed while it says the same: a comma at its end is not taken away. */
const TypedText = ({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}) => {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    setTyped((before) => (withoutMarks(before) === withoutMarks(value) ? before : value));
  }, [value]);
  return (
    <TextField
      label={label}
      value={typed}
      onChange={(text) => {
        setTyped(text);
        onChange(text);
      }}
    />
  );
};

const SheetJson = ({
  sheet,
  onChange,
}: {
  readonly sheet: TypedSheet;
  readonly onChange: (sheet: TypedSheet) => void;
}) => {
  const written = JSON.stringify(sheet, undefined, 2);
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const parsed = parseSheet(typed ?? written);
  useEffect(() => {
    // What was typed and is this sheet stays as it was typed.
    setTyped((before) => {
      if (before === undefined) return undefined;
      const read = parseSheet(before);
      return read.ok && JSON.stringify(read.sheet) !== JSON.stringify(sheet) ? undefined : before;
    });
  }, [sheet]);
  return (
    <div>
      <TextArea
        label="The sheet as JSON"
        rows={8}
        value={typed ?? written}
        onChange={(text) => {
          setTyped(text);
          const read = parseSheet(text);
          if (read.ok) onChange(read.sheet);
        }}
      />
      {!parsed.ok && (
        <p role="alert" className="text-sm text-bad break-words">
          {parsed.problem}
        </p>
      )}
    </div>
  );
};
