/** A patch, line by line with its colours. Long ones show their beginning, and the rest on request. */
import { Button } from "@fairlead/console/kit";
import { useMemo, useState } from "react";
import { countPatch, type PatchRow, readPatch } from "./patch.ts";

const firstShown = 400;

const looks: Readonly<Record<PatchRow["kind"], string>> = {
  file: "font-semibold bg-sunk",
  hunk: "text-accent",
  added: "bg-good-soft text-good",
  removed: "bg-bad-soft text-bad",
  same: "",
  note: "text-soft",
};

export const PatchView = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const rows = useMemo(() => readPatch(text), [text]);
  const [shown, setShown] = useState(firstShown);
  const { added, removed } = countPatch(rows);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="tabular text-sm">
        <span className="text-good">+{added}</span> <span className="text-bad">−{removed}</span>
      </p>
      {/* Scrolls, so it can be focused and read by keyboard. */}
      <section
        tabIndex={0}
        aria-label={label}
        className="overflow-auto rounded-md border border-line font-mono text-xs"
      >
        <table className="w-full">
          <tbody>
            {rows.slice(0, shown).map((row, index) => (
              // Lines of a text have no other name than their place.
              <tr key={index} className={looks[row.kind]}>
                <td className="tabular px-2 text-right text-soft" style={{ width: "3.5rem" }} aria-hidden="true">
                  {row.line}
                </td>
                <td className="px-2 whitespace-pre-wrap break-words">{row.text === "" ? " " : row.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {rows.length > shown && (
        <Button className="self-start" onClick={() => setShown(shown + 2_000)}>
          Show more of {rows.length} lines
        </Button>
      )}
    </div>
  );
};
