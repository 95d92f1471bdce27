/** What happened in a fight, the latest first, and whether all of it follows from its dice again. */
import { Badge, Card, CopyCommand, ErrorNote, readCallError } from "@fairlead/console/kit";
import { api } from "./api.ts";

const mostShown = 100;

export const FightLog = ({ handle }: { readonly handle: string }) => {
  const { data, error } = api.useQuery("encounterLog", { encounter: handle });
  const entries = data?.entries ?? [];
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          Combat log
          {data !== undefined && (
            <Badge tone={data.proved ? "good" : "bad"}>{data.proved ? "● proved by its dice" : "✕ not proved"}</Badge>
          )}
        </span>
      }
      actions={<CopyCommand command={`fairlead call rules.encounterLog -d '{"encounter":"${handle}"}'`} />}
    >
      {error !== null && (
        <div className="p-4">
          <ErrorNote {...readCallError(error)} />
        </div>
      )}
      <ol className="divide-y divide-line">
        {entries
          .slice(-mostShown)
          .toReversed()
          .map(({ version, type, happened, proved }) => (
            <li key={version} className="flex gap-3 px-4 py-2 text-sm">
              <span className="tabular w-8 shrink-0 text-right text-xs text-soft">{version}</span>
              <span className={`min-w-0 flex-1 break-words ${type === "undo" ? "text-soft" : ""}`}>
                {happened.length === 0 ? type : happened.join(". ")}
                {!proved && <span className="text-bad"> (differs by the present rules)</span>}
              </span>
            </li>
          ))}
        {entries.length > mostShown && (
          <li className="px-4 py-2 text-sm text-soft">and {entries.length - mostShown} before</li>
        )}
      </ol>
    </Card>
  );
};
