/** The live objects as a tree: each level is asked for when it is opened. A value can be pinned, or become the expression that is evaluated. */
import { Button, ErrorNote, readCallError } from "@fairlead/console/kit";
import { useState } from "react";
import { api, type ObjectEntry, readEntries } from "./api.ts";
import { shortText, typeName } from "./value-text.ts";

interface TreeActions {
  readonly onUse: (expr: string) => void;
  readonly onPin: (expr: string) => void;
  readonly onType: (type: string) => void;
}

const pageSize = 100;

export const ObjectTree = (actions: TreeActions) => <Level target="" depth={0} {...actions} />;

interface LevelProps extends TreeActions {
  /** The expression whose members are shown; empty for the roots. */
  readonly target: string;
  readonly depth: number;
}

const Level = ({ target, depth, ...actions }: LevelProps) => {
  const [limit, setLimit] = useState(pageSize);
  const { data, error } = api.useQuery("explore", { target, depth: 1, limit });
  if (error !== null) return <ErrorNote {...readCallError(error)} />;
  if (data === undefined) return <p className="px-3 py-1 text-xs text-soft">Asking…</p>;
  const entries = readEntries(data);
  const more = data.more ?? 0;
  return (
    <>
      <ul className={depth === 0 ? "" : "ml-3 border-line pl-1"} style={depth === 0 ? {} : { borderLeftWidth: 1 }}>
        {entries.map((entry) => (
          <Entry key={`${entry.name} ${entry.expr}`} entry={entry} depth={depth} {...actions} />
        ))}
      </ul>
      {entries.length === 0 && <p className="px-3 py-1 text-xs text-soft">It has no members that can be read.</p>}
      {more > 0 && limit < 1_000 && (
        <button
          type="button"
          className="ml-4 px-2 py-1 text-xs text-accent underline"
          onClick={() => setLimit(Math.min(1_000, limit + 300))}
        >
          show more, {more} are left
        </button>
      )}
      {more > 0 && limit >= 1_000 && (
        <p className="px-3 py-1 text-xs text-soft">{more} more: ask for them in a query</p>
      )}
    </>
  );
};

/** What may have something below it. */
const canOpen = ({ expr, count, value, hasValue, kind, type }: ObjectEntry): boolean => {
  if (expr === "" || count === 0 || value === null) return false;
  if (count !== null || kind === "root" || !hasValue) return true;
  if (typeof value === "object") return true;
  return (
    typeof value === "string" &&
    !/^(?:String|Char|DateTime|TimeSpan|Guid|Uri|U?Int64|Decimal)$/.test(typeName(type)) &&
    !isEnumText(value)
  );
};

/** Names of enums come as their text: nothing is below them. */
const isEnumText = (value: string): boolean =>
  /^[A-Za-z_]\w*(?:, [A-Za-z_]\w*)*$/.test(value) && !/^[A-Z]\w*[a-z]\w*[A-Z]/.test(value);

const Entry = ({ entry, depth, ...actions }: TreeActions & { readonly entry: ObjectEntry; readonly depth: number }) => {
  const [isOpen, setOpen] = useState(false);
  const { name, type, access, expr, count } = entry;
  const opens = canOpen(entry);
  const shown = count !== null ? `${count} elements` : entry.hasValue ? shortText(entry.value, 80) : "";
  return (
    <li>
      <div className="flex items-baseline gap-2 rounded-md px-1 font-mono text-xs hover:bg-sunk">
        {opens ? (
          <button
            type="button"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
            className="flex min-w-0 flex-1 cursor-pointer items-baseline gap-2 py-1 text-left"
          >
            <span aria-hidden="true" className="shrink-0 text-soft">
              {isOpen ? "▾" : "▸"}
            </span>
            <Name name={name} access={access} shown={shown} />
          </button>
        ) : (
          <span className="flex min-w-0 flex-1 items-baseline gap-2 py-1">
            <span aria-hidden="true" className="shrink-0 text-soft">
              ·
            </span>
            <Name name={name} access={access} shown={shown} />
          </span>
        )}
        {type !== "" && (
          <button
            type="button"
            title={type}
            onClick={() => actions.onType(type)}
            className="hidden shrink-0 truncate text-soft underline sm:inline-flex"
            style={{ maxWidth: "9rem" }}
          >
            {typeName(type)}
          </button>
        )}
        {expr !== "" && (
          <span className="flex shrink-0 gap-1">
            <Small label={`Evaluate ${expr}`} sign="=" onClick={() => actions.onUse(expr)} />
            <Small label={`Pin ${expr}`} sign="+" onClick={() => actions.onPin(expr)} />
          </span>
        )}
      </div>
      {isOpen && <Level target={expr} depth={depth + 1} {...actions} />}
    </li>
  );
};

const Name = ({ name, access, shown }: { readonly name: string; readonly access: string; readonly shown: string }) => (
  <span className="min-w-0 truncate">
    <span className={access === "private" ? "text-soft" : "font-medium"}>{name}</span>
    {shown !== "" && <span className="text-good"> {shown}</span>}
  </span>
);

const Small = ({
  label,
  sign,
  onClick,
}: {
  readonly label: string;
  readonly sign: string;
  readonly onClick: () => void;
}) => (
  <button
    type="button"
    aria-label={label}
    title={label}
    onClick={onClick}
    className="tabular rounded-md px-2 text-accent hover:bg-accent-soft"
  >
    <span aria-hidden="true">{sign}</span>
  </button>
);

/** Types and members whose name has these letters. */
export const SearchResults = ({
  words,
  onType,
  onClear,
}: {
  readonly words: string;
  readonly onType: (type: string) => void;
  readonly onClear: () => void;
}) => {
  const pattern = /[*?]/.test(words) ? words : `*${words}*`;
  const { data, error } = api.useQuery("explore", { target: `search:${pattern}`, limit: 200 });
  if (error !== null) return <ErrorNote {...readCallError(error)} />;
  if (data === undefined) return <p className="px-3 py-2 text-sm text-soft">Asking…</p>;
  const found = data.types ?? [];
  const members = data.members ?? [];
  return (
    <div className="flex flex-col gap-2 p-2">
      <div className="flex items-center justify-between gap-2 px-2 text-xs text-soft">
        <span>
          {found.length} types, {members.length} members
        </span>
        <Button onClick={onClear}>Back to the tree</Button>
      </div>
      <ul className="font-mono text-xs">
        {found.map(({ type, kind }) => (
          <li key={type}>
            <button
              type="button"
              onClick={() => onType(type)}
              className="block w-full truncate rounded-md px-2 py-1 text-left hover:bg-sunk"
              title={type}
            >
              <span className="text-soft">{kind}</span> {typeName(type)}
            </button>
          </li>
        ))}
        {members.map((member, index) => {
          const [type, name] = [String(member.type ?? ""), String(member.name ?? "")];
          return (
            <li key={`${type} ${name} ${index}`}>
              <button
                type="button"
                onClick={() => onType(type)}
                className="block w-full truncate rounded-md px-2 py-1 text-left hover:bg-sunk"
                title={`${type}.${name}`}
              >
                <span className="text-soft">{typeName(type)}.</span>
                {name}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
};
