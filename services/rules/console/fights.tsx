/** The fights that are kept, and a new one. */
import {
  Badge,
  Button,
  Card,
  ChoiceField,
  CopyCommand,
  Empty,
  ErrorNote,
  readCallError,
  TextField,
  useMayCall,
  usePageSearch,
} from "@fairlead/console/kit";
import { useState } from "react";
import { api, type Edition } from "./api.ts";
import { countNames, parseEntrants } from "./entrants.ts";
import { Fight } from "./fight.tsx";
import { readSetup } from "./setup.ts";
import { sheets } from "./sheet.ts";

export const Fights = () => {
  const [{ fight }, open] = usePageSearch();
  const show = (handle: string | undefined): void =>
    open(handle === undefined ? { view: "fight" } : { view: "fight", fight: handle });
  return fight === undefined ? (
    <div className="grid items-start gap-5 lg:grid-cols-2">
      <Start onStart={show} />
      <Kept onOpen={show} />
    </div>
  ) : (
    <Fight key={fight} handle={fight} onLeave={() => show(undefined)} />
  );
};

const Start = ({ onStart }: { readonly onStart: (handle: string) => void }) => {
  const [search] = usePageSearch();
  const { actor } = readSetup(search);
  const own =
    actor.kind === "sheet" ? [actor.sheet, ...sheets.filter(({ name }) => name !== actor.sheet.name)] : sheets;
  const [edition, setEdition] = useState<Edition>("5.1");
  const [party, setParty] = useState("Aria, Mia");
  const [foes, setFoes] = useState("2 Goblin, Ogre");
  const mayCall = useMayCall("rules");
  const start = api.useMutation("startEncounter");
  const refresh = api.useRefresh();
  // A named boundary: sheets are JSON that somebody writes, and the service says what is wrong with them.
  const input = { edition, party: parseEntrants(party, own), foes: parseEntrants(foes, own) } as never;
  return (
    <Card
      title="Start a fight"
      actions={
        <CopyCommand
          command={`fairlead call rules.startEncounter -d '${JSON.stringify(input).replaceAll("'", "'\\''")}'`}
        />
      }
    >
      <form
        className="flex flex-col gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault();
          start.mutate(input, {
            onSuccess: ({ encounter }) => onStart(encounter),
            onSettled: () => refresh("encounters"),
          });
        }}
      >
        <TextField label="The party" value={party} onChange={setParty} placeholder="Aria, Bo, Acolyte" />
        <TextField label="Their enemies" value={foes} onChange={setFoes} placeholder="3 Goblin, Ogre" />
        <p className="text-sm text-soft">
          {own.map(({ name }) => name).join(", ")} are sheets; any other name is a monster of the SRD. A number says how
          many.
        </p>
        <ChoiceField
          label="Edition"
          value={edition}
          options={[
            ["5.1", "SRD 5.1 (2014)"],
            ["5.2", "SRD 5.2 (2024)"],
          ]}
          onChange={setEdition}
        />
        {start.error !== null && <ErrorNote {...readCallError(start.error)} />}
        <Button
          tone="main"
          type="submit"
          className="self-start"
          title={mayCall ? undefined : "Your token may read and not act"}
          disabled={!mayCall || start.isPending}
        >
          Roll initiative
        </Button>
      </form>
    </Card>
  );
};

const Kept = ({ onOpen }: { readonly onOpen: (handle: string) => void }) => {
  const { data, error } = api.useQuery("encounters", { limit: 20 }, { every: 10_000 });
  const fights = data?.encounters ?? [];
  return (
    <Card title="Fights that are kept">
      {error !== null && (
        <div className="p-4">
          <ErrorNote {...readCallError(error)} />
        </div>
      )}
      {data !== undefined && fights.length === 0 && (
        <Empty title="No fight is kept">
          Say who fights and roll initiative: turns, hit points and conditions are then kept here, also for models and
          commands that take its handle.
        </Empty>
      )}
      <ul className="divide-y divide-line">
        {fights.map(({ encounter, edition, version, latest, party, foes }) => (
          <li key={encounter}>
            <button
              type="button"
              onClick={() => onOpen(encounter)}
              className="block w-full px-4 py-3 text-left hover:bg-sunk"
            >
              <span className="flex items-center justify-between gap-3">
                <span className="min-w-0 font-semibold break-words">
                  {countNames(party)} <span className="text-soft">against</span> {countNames(foes) || "nobody"}
                </span>
                <Badge tone={latest === "end" || latest === "rest" ? "plain" : "accent"}>
                  {latest === "end" || latest === "rest" ? "over" : "goes on"}
                </Badge>
              </span>
              <span className="tabular text-xs text-soft">
                {encounter}, SRD {edition}, version {version}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
};
