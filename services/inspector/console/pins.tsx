/** Pinned expressions: each is evaluated again every second by the kernel, and shown when its value changes. Kept in this browser. */
import { Badge, Card, Empty, JsonTree, Mono, Time } from "@fairlead/console/kit";
import { useState } from "react";
import { api } from "./api.ts";
import { shortText } from "./value-text.ts";

const storageKey = "fairlead-inspector-pins";
const mostPins = 20;

const readPins = (): readonly string[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, mostPins) : [];
  } catch {
    return [];
  }
};

export const usePins = () => {
  const [pins, setPins] = useState(readPins);
  const keep = (next: readonly string[]): void => {
    localStorage.setItem(storageKey, JSON.stringify(next));
    setPins(next);
  };
  return {
    pins,
    pin: (expr: string) => keep([...new Set([...pins, expr])].slice(-mostPins)),
    unpin: (expr: string) => keep(pins.filter((each) => each !== expr)),
  };
};

interface PinsProps {
  readonly pins: readonly string[];
  readonly onUnpin: (expr: string) => void;
  readonly onUse: (expr: string) => void;
}

export const Pins = ({ pins, onUnpin, onUse }: PinsProps) => (
  <Card title={`Pinned: ${pins.length}`}>
    {pins.length === 0 ? (
      <Empty title="Nothing is pinned">
        Press <Mono>+</Mono> at a value of the tree, or <Mono>Pin</Mono> at an expression: it is read every second and
        kept in this browser.
      </Empty>
    ) : (
      <ul className="divide-y divide-line">
        {pins.map((expr) => (
          <Pin key={expr} expr={expr} onUnpin={() => onUnpin(expr)} onUse={() => onUse(expr)} />
        ))}
      </ul>
    )}
  </Card>
);

interface PinProps {
  readonly expr: string;
  readonly onUnpin: () => void;
  readonly onUse: () => void;
}

const mostPoints = 60;

const Pin = ({ expr, onUnpin, onUse }: PinProps) => {
  const [latest, setLatest] = useState<{ readonly at: string; readonly value: unknown }>();
  const [points, setPoints] = useState<readonly number[]>([]);
  const { state, problem } = api.useStream("watch", { expr, depth: 1, everyMs: 1_000, on: "change" }, (events) => {
    setLatest(events.at(-1));
    const numbers = events.flatMap(({ value }) => (typeof value === "number" ? [value] : []));
    if (numbers.length > 0) setPoints((before) => [...before, ...numbers].slice(-mostPoints));
  });
  const value = latest?.value;
  const isTree = typeof value === "object" && value !== null;
  return (
    <li className="px-4 py-2 text-sm">
      <div className="flex flex-wrap items-baseline gap-3">
        <button
          type="button"
          onClick={onUse}
          className="min-w-0 truncate text-left underline"
          title={`Evaluate ${expr}`}
        >
          <Mono>{expr}</Mono>
        </button>
        <span className="tabular min-w-0 flex-1 text-right font-medium break-words" aria-live="off">
          {problem !== undefined ? (
            <span className="text-bad">{problem.split("\n")[0]}</span>
          ) : latest === undefined ? (
            <span className="text-soft">…</span>
          ) : isTree ? (
            ""
          ) : (
            shortText(value, 200)
          )}
        </span>
        {points.length > 1 && <Line points={points} />}
        <span className="shrink-0 text-xs text-soft">
          {state === "lost" ? <Badge tone="warn">lost</Badge> : latest !== undefined && <Time at={latest.at} />}
        </span>
        <button
          type="button"
          aria-label={`Take ${expr} away`}
          onClick={onUnpin}
          className="shrink-0 rounded-md px-2 text-soft hover:bg-sunk"
        >
          <span aria-hidden="true">✕</span>
        </button>
      </div>
      {isTree && <JsonTree value={value} />}
    </li>
  );
};

const Line = ({ points }: { readonly points: readonly number[] }) => {
  const [least, most] = [Math.min(...points), Math.max(...points)];
  const span = most - least || 1;
  const path = points
    .map(
      (point, index) =>
        `${index === 0 ? "M" : "L"}${((index * 80) / (points.length - 1)).toFixed(1)} ${(18 - ((point - least) / span) * 16).toFixed(1)}`,
    )
    .join(" ");
  return (
    <svg
      viewBox="0 0 80 20"
      width="80"
      height="20"
      className="shrink-0"
      role="img"
      aria-label={`between ${least} and ${most}`}
    >
      <path d={path} fill="none" stroke="var(--color-accent)" strokeWidth="1.5" />
    </svg>
  );
};
