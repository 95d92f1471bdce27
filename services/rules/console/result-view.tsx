/** A result: the roll, its dice, its damage, the rules behind each number, and what the caller should change. Names and notes are text. */
import { Badge, Mono } from "@fairlead/console/kit";
import type { ReactNode } from "react";
import type { Result } from "./api.ts";

type ResultFields = Pick<
  Result,
  "checkType" | "components" | "total" | "dieResult" | "dcOrAc" | "success" | "notes" | "rules" | "claims" | "changes"
> &
  Partial<Pick<Result, "dice" | "damage" | "targets" | "impossible" | "noCheck" | "notRead">>;

export const ResultView = ({ result }: { readonly result: ResultFields }) => {
  const { checkType, components, notes, dice, damage, rules, claims, changes, notRead = [] } = result;
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex flex-wrap items-center gap-4">
        <Headline {...result} />
        <div className="min-w-0 flex-1">
          <p className="font-semibold break-words">{checkType}</p>
          {components !== "" && <p className="tabular text-sm text-soft break-words">{components}</p>}
        </div>
        <Verdict {...result} />
      </div>
      <p className="break-words">{notes}</p>
      {dice !== undefined && dice.draws.length > 0 && <DiceRow dice={dice} />}
      {damage !== undefined && <DamageTable damage={damage} />}
      {claims.length > 0 && (
        <List title="Claims">
          {claims.map(({ source, granted, why }) => (
            <li key={`${source} ${why}`} className="flex items-baseline gap-2">
              <Badge tone={granted ? "good" : "warn"}>{granted ? "counts" : "does not"}</Badge>
              <span className="min-w-0 break-words">
                <b>{source}</b> <span className="text-soft">{why}</span>
              </span>
            </li>
          ))}
        </List>
      )}
      {rules.length > 0 && <Rules rules={rules} />}
      {changes.length > 0 && (
        <List title="What changes">
          {changes.map(({ who, field, op, value, why }) => (
            <li key={`${who} ${field} ${op} ${value}`} className="break-words">
              {who}: <Mono>{field}</Mono> {op === "set" ? "is" : op === "add" ? "gains" : "loses"} <b>{value}</b>{" "}
              <span className="text-soft">{why}</span>
            </li>
          ))}
        </List>
      )}
      {notRead.length > 0 && (
        <List title="What no rule read">
          {notRead.map(({ at, name, nearest }) => (
            <li key={at} className="break-words text-warn">
              <Mono>{at}</Mono> {name}
              {nearest !== undefined && `; did you mean ${nearest}?`}
            </li>
          ))}
        </List>
      )}
    </div>
  );
};

const Headline = ({ total, dieResult, dcOrAc, impossible, noCheck }: ResultFields) => {
  if (impossible === true || noCheck === true) return null;
  const face = dieResult === 20 ? "text-good" : dieResult === 1 ? "text-bad" : "text-text";
  return (
    <div className="flex items-center gap-3">
      {dieResult > 0 && (
        <svg viewBox="0 0 48 48" className="h-12 w-12 shrink-0" role="img" aria-label={`the d20 shows ${dieResult}`}>
          <path
            d="M24 2 43 13v22L24 46 5 35V13z"
            fill="var(--color-accent-soft)"
            stroke="var(--color-accent)"
            strokeWidth="1.5"
          />
          <path
            d="M24 2 36 31H12zM12 31 5 13M36 31 43 13M24 46 12 31M24 46 36 31"
            fill="none"
            stroke="var(--color-accent)"
            opacity="0.35"
          />
          <text x="24" y="29" textAnchor="middle" fontSize="15" fontWeight="700" className={face} fill="currentColor">
            {dieResult}
          </text>
        </svg>
      )}
      <p className="tabular">
        <span className="text-2xl font-semibold">{total}</span> <span className="text-soft">against {dcOrAc}</span>
      </p>
    </div>
  );
};

const Verdict = ({ success, impossible, noCheck, damage }: ResultFields) => {
  if (impossible === true) return <Badge tone="bad">✕ Cannot be done</Badge>;
  if (noCheck === true) return <Badge>No roll</Badge>;
  return (
    <div className="flex gap-2">
      <Badge tone={success ? "good" : "bad"}>
        <span aria-hidden="true">{success ? "●" : "✕"}</span> {success ? "Success" : "Failure"}
      </Badge>
      {damage?.isCrit === true && <Badge tone="warn">Critical</Badge>}
      {damage !== undefined && <Badge tone="accent">{damage.totalDamage} damage</Badge>}
    </div>
  );
};

const DiceRow = ({ dice }: { readonly dice: NonNullable<Result["dice"]> }) => (
  <div>
    <ul aria-label="Dice" className="flex flex-wrap gap-2">
      {dice.draws.map(({ sides, value, purpose }, index) => (
        <li key={index} className="rounded-md border border-line bg-sunk px-2 py-1 text-center">
          <p className="tabular font-semibold">{value}</p>
          <p className="text-xs text-soft">
            d{sides} {purpose}
          </p>
        </li>
      ))}
    </ul>
    <p className="mt-1 text-xs text-soft break-words">
      {dice.seed === undefined ? (
        "Rolled at the table"
      ) : (
        <>
          Seed <Mono>{dice.seed}</Mono>
          {dice.label !== undefined && `, split by ${dice.label}`}
        </>
      )}
    </p>
  </div>
);

const DamageTable = ({ damage }: { readonly damage: NonNullable<Result["damage"]> }) => (
  <div className="overflow-x-auto">
    <table className="tabular w-full text-sm">
      <thead>
        <tr className="border-b border-line text-left text-xs text-soft">
          <th scope="col" className="py-1">
            Damage
          </th>
          <th scope="col">Dice</th>
          <th scope="col">Rolled</th>
          <th scope="col" className="text-right">
            Flat
          </th>
          <th scope="col" className="text-right">
            Sum
          </th>
        </tr>
      </thead>
      <tbody>
        {damage.breakdown.map(({ label, dice, rolls, flatBonus, subtotal, damageType }) => (
          <tr key={`${label} ${damageType}`}>
            <td className="py-1">
              {label} <span className="text-soft">{damageType}</span>
            </td>
            <td>{dice}</td>
            <td>{rolls.join(" + ")}</td>
            <td className="text-right">{flatBonus === 0 ? "" : flatBonus}</td>
            <td className="text-right">{subtotal}</td>
          </tr>
        ))}
        {damage.byType
          .filter(({ defence }) => defence !== "none")
          .map(({ damageType, rolled, dealt, defence }) => (
            <tr key={damageType}>
              <td colSpan={4} className="py-1 text-warn">
                {defence} against {damageType}: {rolled} become {dealt}
              </td>
              <td />
            </tr>
          ))}
        <tr className="border-t border-line font-semibold">
          <td colSpan={4} className="py-1">
            {damage.isCrit ? "Critical: dice twice" : "In all"}
          </td>
          <td className="text-right">{damage.totalDamage}</td>
        </tr>
      </tbody>
    </table>
  </div>
);

const Rules = ({ rules }: Pick<Result, "rules">) => (
  <details open>
    <summary className="cursor-pointer text-xs text-soft">The rules that applied: {rules.length}</summary>
    <ol className="mt-2 flex flex-col gap-1 text-sm">
      {rules.map(({ number, effect, rule, source, why }, index) => (
        <li key={index} className="flex items-baseline gap-3" title={source}>
          <span className="tabular w-24 shrink-0 text-right font-mono text-xs font-semibold text-accent break-words">
            {effect}
          </span>
          <span className="min-w-0 break-words">
            {why}{" "}
            <span className="text-xs text-soft">
              {number}, {rule}
            </span>
          </span>
        </li>
      ))}
    </ol>
  </details>
);

const List = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section>
    <h3 className="text-xs text-soft">{title}</h3>
    <ul className="mt-1 flex flex-col gap-1 text-sm">{children}</ul>
  </section>
);
