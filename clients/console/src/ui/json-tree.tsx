/** A value of JSON as a tree that opens and closes. Long lists show their beginning, and the rest on request; texts are always text. */
import { type ReactNode, useState } from "react";

const firstShown = 100;

const literal = (value: unknown): ReactNode => {
  if (typeof value === "string")
    return <span className="break-words whitespace-pre-wrap text-good">{JSON.stringify(value)}</span>;
  if (value === null || value === undefined) return <span className="text-soft">null</span>;
  return <span className="tabular text-key">{String(value)}</span>;
};

const summaryText = (value: object): string =>
  Array.isArray(value) ? `${value.length} items` : `${Object.keys(value).length} fields`;

export const JsonTree = ({
  value,
  name,
  depth = 0,
}: {
  readonly value: unknown;
  readonly name?: string;
  readonly depth?: number;
}) => {
  const [shown, setShown] = useState(firstShown);
  const label = name === undefined ? null : <span className="text-soft">{name}: </span>;
  if (typeof value !== "object" || value === null)
    return (
      <div className="font-mono text-xs leading-relaxed">
        {label}
        {literal(value)}
      </div>
    );
  const entries = Object.entries(value);
  if (entries.length === 0)
    return (
      <div className="font-mono text-xs leading-relaxed">
        {label}
        {Array.isArray(value) ? "[]" : "{}"}
      </div>
    );
  return (
    <details open={depth < 2} className="font-mono text-xs leading-relaxed">
      <summary className="cursor-pointer">
        {label}
        <span className="text-soft">{summaryText(value)}</span>
      </summary>
      <div className="ml-1.5 border-l border-line pl-3">
        {entries.slice(0, shown).map(([key, each]) => (
          <JsonTree key={key} value={each} name={key} depth={depth + 1} />
        ))}
        {entries.length > shown && (
          <button type="button" className="text-accent hover:underline" onClick={() => setShown(shown + 1_000)}>
            show more of {entries.length}
          </button>
        )}
      </div>
    </details>
  );
};
