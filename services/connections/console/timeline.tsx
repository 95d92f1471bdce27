/** What happened to connections, the latest first. */
import { Badge, Empty, Mono, Time } from "@fairlead/console/kit";
import type { NumberedEvent } from "./api.ts";
import { eventName, eventText, eventTitle, eventTone } from "./words.ts";

interface TimelineProps {
  readonly events: readonly NumberedEvent[];
  /** Only of this one, and without its name. */
  readonly name?: string;
}

const mostShown = 50;

export const Timeline = ({ events, name }: TimelineProps) => {
  const shown = events
    .filter(({ event }) => name === undefined || [undefined, name].includes(eventName(event)))
    .slice(-mostShown)
    .toReversed();
  if (shown.length === 0)
    return <Empty title="Nothing has happened yet">What happens to a connection appears here as it happens.</Empty>;
  return (
    <ol className="divide-y divide-line">
      {shown.map(({ seq, at, event }) => (
        <li key={`${seq} ${at}`} className="flex items-baseline gap-3 px-4 py-2 text-sm">
          <span className="w-24 shrink-0">
            <Badge tone={eventTone(event)}>{eventTitle(event)}</Badge>
          </span>
          <span className="min-w-0 flex-1 break-words">
            {name === undefined && eventName(event) !== undefined && (
              <>
                <Mono>{eventName(event)}</Mono>{" "}
              </>
            )}
            {eventText(event)}
          </span>
          <span className="shrink-0 text-xs text-soft">
            <Time at={at} />
          </span>
        </li>
      ))}
    </ol>
  );
};
