/** The stats that people decide by, as they were when the build was loaded and as they are. */
import { Card, CopyCommand, Figure } from "@fairlead/console/kit";
import type { CuratedStat } from "./api.ts";
import { type StatRow, signed, statGroups, statText } from "./figures.ts";

interface StatsProps {
  readonly now: readonly CuratedStat[];
  readonly before: readonly CuratedStat[];
}

const first: readonly string[] = ["CombinedDPS", "TotalEHP", "Life", "EnergyShield"];

const tones: Readonly<Record<StatRow["verdict"], string>> = {
  better: "text-good",
  worse: "text-bad",
  same: "text-soft",
};

export const Stats = ({ now, before }: StatsProps) => (
  <div className="flex flex-col gap-5">
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {now
        .filter(({ name }) => first.includes(name))
        .map(({ name, label, value, unit }) => {
          const old = before.find((each) => each.name === name)?.value;
          return (
            <Figure
              key={name}
              label={label}
              value={statText(value, unit)}
              note={
                old === undefined || old === value ? "as it was loaded" : `${signed(value - old)} since it was loaded`
              }
            />
          );
        })}
    </div>
    <Card title="Stats, before and after" actions={<CopyCommand command="fairlead call pob.luaGetStats" />}>
      <div className="grid items-start gap-5 p-4 md:grid-cols-2 lg:grid-cols-3">
        {statGroups(now, before).map(({ group, rows }) => (
          <table key={group} className="tabular w-full text-sm">
            <caption className="text-left text-xs text-soft">{group}</caption>
            <thead className="sr-only">
              <tr>
                <th scope="col">Stat</th>
                <th scope="col">Before</th>
                <th scope="col">After</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, label, before: old, after, unit, verdict }) => (
                <tr key={name} title={name}>
                  <td className="py-0.5 pr-2">{label}</td>
                  <td className="text-right text-soft">{old === undefined ? "–" : statText(old, unit)}</td>
                  <td className={`text-right font-medium ${tones[verdict]}`}>
                    {statText(after, unit)}
                    {verdict !== "same" && <span className="sr-only"> {verdict}</span>}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
    </Card>
  </div>
);
