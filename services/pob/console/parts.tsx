/** Items, gems and configuration of the loaded build. Names and lines are text. */
import { Badge, Card, CopyCommand, Empty, Mono } from "@fairlead/console/kit";
import type { BuildParts } from "./api.ts";
import { Notices } from "./notices.tsx";

export const Parts = ({ parts }: { readonly parts: BuildParts }) => (
  <div className="grid items-start gap-5 lg:grid-cols-2">
    <Card title={`Items: ${parts.items.length}`} actions={<CopyCommand command="fairlead call pob.luaGetParts" />}>
      {parts.items.length === 0 && <Empty title="Nothing is worn">Put an item on under What if.</Empty>}
      <ul className="divide-y divide-line">
        {parts.items.map(({ slot, name, base, rarity, text }) => (
          <li key={slot} className="px-4 py-3">
            <details>
              <summary className="cursor-pointer break-words">
                <span className="text-xs text-soft">{slot}</span> <b>{name}</b>{" "}
                <span className="text-xs text-soft">
                  {base}, {rarity.toLowerCase()}
                </span>
              </summary>
              <pre className="mt-2 font-mono text-xs break-words whitespace-pre-wrap">{text}</pre>
            </details>
          </li>
        ))}
      </ul>
    </Card>
    <div className="flex min-w-0 flex-col gap-5">
      <Card title={`Skill groups: ${parts.groups.length}`}>
        <ul className="divide-y divide-line">
          {parts.groups.map(({ group, label, slot, main, enabled, gems }) => (
            <li key={group} className="px-4 py-3 text-sm">
              <p className="flex flex-wrap items-baseline gap-2">
                <span className="tabular text-soft">{group}</span>
                <b className="break-words">{label ?? gems[0]?.name ?? "empty"}</b>
                <span className="text-xs text-soft">{slot}</span>
                {main && <Badge tone="accent">main skill</Badge>}
                {!enabled && <Badge>off</Badge>}
              </p>
              <ol className="mt-1 flex flex-col gap-1">
                {gems.map(({ name, level, quality, enabled: isOn, problem }, at) => (
                  <li key={at} className={`break-words ${isOn ? "" : "text-soft"}`}>
                    {name}{" "}
                    <span className="tabular text-xs text-soft">
                      level {level}, quality {quality} %
                    </span>
                    {problem !== undefined && <span className="text-warn"> {problem}</span>}
                  </li>
                ))}
              </ol>
            </li>
          ))}
        </ul>
      </Card>
      <Card title="Configuration">
        <dl className="flex flex-col gap-1 p-4 text-sm">
          {Object.entries(parts.config).map(([name, value]) => (
            <div key={name} className="flex justify-between gap-3">
              <dt className="min-w-0 truncate">
                <Mono>{name}</Mono>
              </dt>
              <dd className="min-w-0 break-words">{String(value)}</dd>
            </div>
          ))}
          {Object.keys(parts.config).length === 0 && (
            <p className="text-soft">All options are as Path of Building has them.</p>
          )}
        </dl>
      </Card>
      {parts.notices.length > 0 && (
        <Card>
          <div className="p-4">
            <Notices notices={parts.notices} />
          </div>
        </Card>
      )}
    </div>
  </div>
);
