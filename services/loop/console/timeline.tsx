/** The log of a run as a timeline, the latest first: each line in words, what it said in full, and the way back to that moment. */
import { Badge, Button, Card, Empty, JsonTree, Time } from "@fairlead/console/kit";
import { useState } from "react";
import type { SessionLine, Ticket } from "./api.ts";
import { lineWords } from "./words.ts";

interface TimelineProps {
  readonly lines: readonly SessionLine[];
  readonly tickets: readonly Ticket[];
  /** Position that the page shows. */
  readonly at: number;
  readonly onMoment: (seq: number) => void;
}

const firstShown = 150;

export const Timeline = ({ lines, tickets, at, onMoment }: TimelineProps) => {
  const [words, setWords] = useState("");
  const [isAll, setAll] = useState(false);
  const [shown, setShown] = useState(firstShown);
  const titles = new Map(tickets.map(({ ticket_id, title }) => [ticket_id as string, title]));
  const wanted = words.trim().toLowerCase();
  const rows = lines
    .map((line) => ({ line, words: lineWords(line) }))
    .filter(({ words: { matters } }) => isAll || matters)
    .filter(({ line, words: { title, text, ticket } }) =>
      wanted === ""
        ? true
        : `${line.type} ${title} ${text} ${titles.get(ticket ?? "") ?? ""}`.toLowerCase().includes(wanted),
    )
    .toReversed();
  return (
    <Card title={`Log: ${lines.length} lines`}>
      <div className="flex flex-wrap items-center gap-3 border-b border-line p-3">
        <input
          aria-label="Words in a line"
          placeholder="Words in a line, or a type like PLAN_HELD"
          value={words}
          onChange={({ target }) => setWords(target.value)}
          className="h-8 min-w-0 flex-1 rounded-md border border-line bg-card px-3 text-sm"
        />
        <label className="flex items-center gap-2 text-sm">
          <input type="checkbox" checked={isAll} onChange={({ target }) => setAll(target.checked)} /> every line
        </label>
      </div>
      {rows.length === 0 ? (
        <Empty title={lines.length === 0 ? "The log is being read" : "No line has these words"}>
          {lines.length === 0 ? "Its first line says how the session was started." : "Take a part of them away."}
        </Empty>
      ) : (
        <ol className="divide-y divide-line">
          {rows.slice(0, shown).map(({ line, words: said }) => (
            <Row
              key={line.seq}
              line={line}
              said={said}
              ticket={titles.get(said.ticket ?? "")}
              isShown={line.seq === at}
              onMoment={() => onMoment(line.seq)}
            />
          ))}
        </ol>
      )}
      {rows.length > shown && (
        <div className="p-3">
          <Button onClick={() => setShown(shown + 500)}>Show more of {rows.length}</Button>
        </div>
      )}
    </Card>
  );
};

interface RowProps {
  readonly line: SessionLine;
  readonly said: ReturnType<typeof lineWords>;
  readonly ticket: string | undefined;
  readonly isShown: boolean;
  readonly onMoment: () => void;
}

const Row = ({
  line: { seq, ts, type, payload },
  said: { title, tone, text },
  ticket,
  isShown,
  onMoment,
}: RowProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <li className={`px-4 py-2 text-sm ${isShown ? "bg-accent-soft" : ""}`}>
      <div className="flex items-baseline gap-3">
        <button
          type="button"
          onClick={onMoment}
          title={`Show the run as it was after line ${seq}`}
          className="tabular w-12 shrink-0 rounded-md text-right text-xs text-soft underline hover:bg-sunk"
        >
          {seq}
        </button>
        <span className="w-24 shrink-0" title={type}>
          <Badge tone={tone}>{title}</Badge>
        </span>
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="min-w-0 flex-1 cursor-pointer text-left"
        >
          <span className="break-words">{text.length > 300 ? `${text.slice(0, 300)}…` : text || type}</span>
          {ticket !== undefined && <span className="block text-xs text-soft break-words">{ticket}</span>}
        </button>
        <span className="hidden shrink-0 text-xs text-soft sm:block">
          <Time at={ts} />
        </span>
      </div>
      {isOpen && (
        <div className="mt-2 rounded-md bg-sunk p-3">
          <JsonTree value={payload} name={type} />
        </div>
      )}
    </li>
  );
};
