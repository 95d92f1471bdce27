/** Lines of log, the newest last, with their level and what they say. */
import type { LiveEvent } from "../api/live.ts";
import { Time } from "../ui/parts.tsx";

const levels: Readonly<Record<string, string>> = {
  error: "text-bad",
  warn: "text-warn",
  info: "text-accent",
  debug: "text-soft",
};

const shownFields = ({ data }: LiveEvent): string => {
  const { level: _, message: __, ...fields } = data;
  return Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(" ");
};

export const LogLines = ({ lines, label }: { readonly lines: readonly LiveEvent[]; readonly label: string }) => (
  // Scrolls, so it can be focused and read by keyboard.
  <ol tabIndex={0} aria-label={label} className="max-h-[32rem] divide-y divide-line overflow-auto font-mono text-xs">
    {lines.map((line) => (
      <li key={`${line.at} ${line.seq}`} className="flex flex-wrap gap-x-3 px-4 py-1.5">
        <span className="w-28 shrink-0 text-soft">
          <Time at={line.at} />
        </span>
        <span className={`w-10 shrink-0 ${levels[String(line.data.level)] ?? ""}`}>{String(line.data.level)}</span>
        <span className="min-w-0 flex-1 break-words">
          <span className="text-soft">{line.service}</span> {String(line.data.message)}{" "}
          <span className="text-soft">{shownFields(line)}</span>
        </span>
      </li>
    ))}
  </ol>
);
