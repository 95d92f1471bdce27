/** Moves through a run: to the line before, to the next one, to any of them, or on by itself. */
import { Badge, Button } from "@fairlead/console/kit";
import { useEffect, useState } from "react";
import type { SessionLine } from "./api.ts";
import { lineWords } from "./words.ts";

interface ReplayProps {
  readonly lines: readonly SessionLine[];
  /** Position that is shown; undefined at the end, where an open session is followed. */
  readonly at: number | undefined;
  readonly last: number;
  readonly isOpen: boolean;
  readonly onMoment: (at: number | undefined) => void;
}

const playEveryMs = 700;

export const ReplayBar = ({ lines, at, last, isOpen, onMoment }: ReplayProps) => {
  const [isPlaying, setPlaying] = useState(false);
  // What an agent or a person did; the lines that follow from it belong to the same moment.
  const moments = lines.filter(({ id }) => id !== null).map(({ seq }) => seq);
  const place = at ?? last;
  const before = moments.findLast((seq) => seq < (moments.findLast((each) => each <= place) ?? place));
  const next = moments.find((seq) => seq > place);
  const shown = lines.find(({ seq }) => seq === place);
  const said = shown === undefined ? undefined : lineWords(shown);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setTimeout(() => {
      onMoment(next);
      if (next === undefined) setPlaying(false);
    }, playEveryMs);
    return () => clearTimeout(timer);
  }, [isPlaying, next, onMoment]);
  return (
    <section
      aria-label="Replay"
      className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-card px-4 py-2"
    >
      <div className="flex gap-1">
        <Button aria-label="The step before" disabled={before === undefined} onClick={() => onMoment(before)}>
          <span aria-hidden="true">◀</span>
        </Button>
        <Button
          aria-label={isPlaying ? "Stop" : "Play from the beginning or from here"}
          disabled={moments.length < 2}
          onClick={() => {
            if (!isPlaying && next === undefined) onMoment(moments[0]);
            setPlaying(!isPlaying);
          }}
        >
          <span aria-hidden="true">{isPlaying ? "■" : "▶ Play"}</span>
        </Button>
        <Button aria-label="The next step" disabled={next === undefined} onClick={() => onMoment(next)}>
          <span aria-hidden="true">▶</span>
        </Button>
      </div>
      <input
        type="range"
        aria-label="Line of the log that is shown"
        min={1}
        max={Math.max(1, last)}
        value={place}
        onChange={({ target }) => onMoment(Number(target.value) >= last ? undefined : Number(target.value))}
        className="min-w-0 flex-1"
        style={{ accentColor: "var(--color-accent)", minWidth: "8rem" }}
      />
      <span className="tabular text-sm whitespace-nowrap text-soft">
        line {place} of {last}
      </span>
      {at === undefined ? (
        <Badge tone={isOpen ? "good" : "plain"}>{isOpen ? "● as it is" : "at its end"}</Badge>
      ) : (
        <Button tone="main" onClick={() => onMoment(undefined)}>
          {isOpen ? "Back to now" : "To its end"}
        </Button>
      )}
      {at !== undefined && said !== undefined && (
        <p className="w-full truncate text-sm" role="status">
          <Badge tone={said.tone}>{said.title}</Badge> {said.text}
        </p>
      )}
    </section>
  );
};
