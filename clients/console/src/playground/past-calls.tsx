/** Calls to take up again: those that were kept under a name, and the last ones of this browser. */
import { duration, relativeTime } from "../text/relative-time.ts";
import { Badge, Button, Card, Mono } from "../ui/parts.tsx";
import { useHistory } from "./history.ts";
import { removeCall, useSavedCalls } from "./saved.ts";

type Open = (procedure: string, input: unknown) => void;

const rowClass = "flex items-center justify-between gap-3 px-4 py-1.5";
const openClass = "min-w-0 truncate text-left hover:underline";

export const PastCalls = ({ onOpen }: { readonly onOpen: Open }) => (
  <>
    <SavedCalls onOpen={onOpen} />
    <History onOpen={onOpen} />
  </>
);

const SavedCalls = ({ onOpen }: { readonly onOpen: Open }) => {
  const saved = useSavedCalls();
  if (saved.length === 0) return null;
  return (
    <Card title="Saved calls" className="mt-5">
      <ul className="max-h-64 divide-y divide-line overflow-auto">
        {saved.map(({ name, procedure, input }) => (
          <li key={name} className={rowClass}>
            <button type="button" onClick={() => onOpen(procedure, input)} className={openClass} title="Open it">
              {name} <Mono>{procedure}</Mono>{" "}
              <span className="font-mono text-xs text-soft">{JSON.stringify(input)}</span>
            </button>
            <Button aria-label={`Remove ${name}`} onClick={() => removeCall(name)}>
              ✕
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
};

const History = ({ onOpen }: { readonly onOpen: Open }) => {
  const history = useHistory();
  if (history.length === 0) return null;
  return (
    <Card title="Calls of this browser" className="mt-5">
      <ul className="max-h-64 divide-y divide-line overflow-auto">
        {history.map(({ procedure, input, outcome, milliseconds, at }) => (
          <li key={at} className={rowClass}>
            <button type="button" onClick={() => onOpen(procedure, input)} className={openClass} title="Open it again">
              <Mono>{procedure}</Mono> <span className="font-mono text-xs text-soft">{JSON.stringify(input)}</span>
            </button>
            <span className="flex shrink-0 items-center gap-3 text-xs text-soft">
              <Badge tone={outcome === "ok" ? "good" : "bad"}>{outcome}</Badge>
              <span className="tabular">{duration(milliseconds)}</span>
              <span className="tabular">{relativeTime(at, Date.now())}</span>
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
};
