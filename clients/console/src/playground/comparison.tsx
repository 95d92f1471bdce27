/** Two answers beside each other: what differs, path by path. */
import { Button, Card } from "../ui/parts.tsx";
import { differences } from "./difference.ts";

interface ComparisonProps {
  readonly kept: unknown;
  readonly answer: unknown;
  readonly onForget: () => void;
}

export const Comparison = ({ kept, answer, onForget }: ComparisonProps) => {
  const { list, isCut } = differences(kept, answer);
  return (
    <Card
      title="Beside the answer that you kept"
      actions={<Button onClick={onForget}>Forget it</Button>}
      className="lg:col-span-2"
    >
      {list.length === 0 ? (
        <p className="p-4 text-soft">The answers are the same.</p>
      ) : (
        <section className="max-h-96 overflow-auto" tabIndex={0} aria-label="Differences">
          <table className="w-full text-left text-xs">
            <thead className="sticky top-0 bg-sunk text-soft">
              <tr>
                {["Where", "Kept", "Now"].map((head) => (
                  <th key={head} scope="col" className="px-4 py-1.5 font-medium">
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line font-mono">
              {list.map(({ path, before, after }) => (
                <tr key={path}>
                  <th scope="row" className="px-4 py-1 font-normal break-all">
                    {path === "" ? "the whole" : path}
                  </th>
                  <td className="px-4 py-1 break-all text-soft">{before ?? "—"}</td>
                  <td className="px-4 py-1 break-all">{after ?? "—"}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {isCut && <p className="p-2 text-xs text-soft">The first {list.length}; there are more.</p>}
        </section>
      )}
    </Card>
  );
};
