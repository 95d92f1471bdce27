/** The kernel's log as it is written: by level, service and words. */
import { useState } from "react";
import { useLive } from "../api/live.ts";
import { LogLines } from "../calls/log-lines.tsx";
import { Card, CopyCommand, Empty, PageHeader } from "../ui/parts.tsx";

const mostShown = 500;
const levels = ["debug", "info", "warn", "error"];

export const LogsPage = () => {
  const { logs } = useLive();
  const [level, setLevel] = useState("debug");
  const [words, setWords] = useState("");
  const shown = logs.filter(
    ({ data, service }) =>
      levels.indexOf(String(data.level)) >= levels.indexOf(level) &&
      `${service} ${JSON.stringify(data)}`.toLowerCase().includes(words.toLowerCase()),
  );
  return (
    <>
      <PageHeader title="Logs" actions={<CopyCommand command="fairlead logs" />}>
        Lines of the kernel, its services and their children, the newest last.
      </PageHeader>
      <div className="mb-3 flex flex-wrap gap-2">
        <label className="flex items-center gap-2 text-sm text-soft">
          From level
          <select
            value={level}
            onChange={({ target }) => setLevel(target.value)}
            className="h-8 rounded-md border border-line bg-card px-2 text-text"
          >
            {levels.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </select>
        </label>
        <input
          aria-label="Words in the line"
          placeholder="Words in the line"
          value={words}
          onChange={({ target }) => setWords(target.value)}
          className="h-8 min-w-48 flex-1 rounded-md border border-line bg-card px-3"
        />
      </div>
      <Card>
        {shown.length === 0 ? (
          <Empty title="No lines">
            {logs.length === 0 ? "Lines appear here as they are written." : "None of the lines fits the filter."}
          </Empty>
        ) : (
          <LogLines lines={shown.slice(-mostShown)} label="Lines of log" />
        )}
      </Card>
    </>
  );
};
