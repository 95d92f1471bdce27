/** A build from a text: read by itself, and loaded into Path of Building where there is one. */
import {
  Badge,
  Button,
  Card,
  CopyCommand,
  ErrorNote,
  readCallError,
  TextArea,
  useMayCall,
} from "@fairlead/console/kit";
import { useState } from "react";
import { api, type BuildSummary, type LoadReport } from "./api.ts";
import { statText } from "./figures.ts";
import { Notices } from "./notices.tsx";

interface BuildInputProps {
  readonly session: string | undefined;
  /** Why Path of Building is not used; `undefined` where it is. */
  readonly off: string | undefined;
  readonly onLoaded: () => void;
}

export const BuildInput = ({ session, off, onLoaded }: BuildInputProps) => {
  const [text, setText] = useState("");
  const [asked, setAsked] = useState<string | undefined>(undefined);
  const mayCall = useMayCall("pob");
  const load = api.useMutation("luaLoadBuild");
  const isRead = asked !== undefined;
  const read = api.useQuery("parseBuild", { source: { build: asked ?? "" } }, { enabled: isRead });
  const check = api.useQuery("validateBuild", { build: asked ?? "" }, { enabled: isRead });
  const build = text.trim();
  return (
    <Card title="A build" actions={<CopyCommand command="fairlead call pob.parseBuild -d @build.json" />}>
      <div className="flex flex-col gap-3 p-4">
        <TextArea
          label="Paste a share code, or the XML that Path of Building saves"
          rows={4}
          value={text}
          placeholder="eNrtVV1v2jAUfe…"
          onChange={setText}
        />
        <div className="flex flex-wrap items-center gap-3">
          <Button tone={off === undefined ? "plain" : "main"} disabled={build === ""} onClick={() => setAsked(build)}>
            Read it
          </Button>
          {off === undefined && (
            <Button
              tone="main"
              title={mayCall ? undefined : "Your token may read and not act"}
              disabled={!mayCall || build === "" || load.isPending}
              onClick={() => {
                setAsked(build);
                load.mutate(
                  { build_xml: build, name: "Console", ...(session !== undefined && { session }) },
                  { onSuccess: onLoaded },
                );
              }}
            >
              {load.isPending ? "Loading…" : "Load and compute"}
            </Button>
          )}
          <span className="text-sm text-soft">
            {off === undefined
              ? "Reading says what the file says; loading computes it."
              : "Its stats are those that were stored when it was last saved."}
          </span>
        </div>
        {read.error !== null && isRead && <ErrorNote {...readCallError(read.error)} />}
        {load.error !== null && <ErrorNote {...readCallError(load.error)} />}
        {load.data !== undefined && <Loaded report={load.data} />}
        {check.data !== undefined && check.data.problems.length > 0 && (
          <ul aria-label="Problems" className="flex flex-col gap-1 text-sm">
            {check.data.problems.map(({ severity, where, message, fix }) => (
              <li key={`${where} ${message}`} className="flex items-baseline gap-2">
                <Badge tone={severity === "error" ? "bad" : "warn"}>{severity}</Badge>
                <span className="min-w-0 break-words">
                  {where}: {message} <span className="text-soft">{fix}</span>
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
      {read.data !== undefined && <Summary build={read.data} />}
    </Card>
  );
};

const Loaded = ({ report }: { readonly report: LoadReport }) => (
  <div className="flex flex-col gap-2 text-sm">
    <p role="status" className="break-words">
      <Badge tone="good">● Loaded</Badge> {report.status}
    </p>
    {report.warnings.map((warning) => (
      <p key={warning} className="text-warn break-words">
        {warning}
      </p>
    ))}
    <Notices notices={report.notices} />
  </div>
);

const mostStats = 24;

const Summary = ({ build }: { readonly build: BuildSummary }) => {
  const { level, className, ascendancy, mainSkill, tree, skills, items, notes, storedStats } = build;
  const stats = Object.entries(storedStats);
  return (
    <section aria-label="What the build says" className="flex flex-col gap-4 border-t border-line p-4">
      <p className="text-lg font-semibold break-words">
        Level {level} {ascendancy ?? className}
        <span className="text-sm text-soft">
          {" "}
          {mainSkill !== null && `${mainSkill}, `}
          {tree === null ? "no tree" : `${tree.nodes.length} nodes of tree ${tree.treeVersion.replace("_", ".")}`}
        </span>
      </p>
      <div className="grid items-start gap-5 md:grid-cols-3">
        <div className="min-w-0">
          <h3 className="text-xs text-soft">Skills</h3>
          <ul className="mt-1 flex flex-col gap-2 text-sm">
            {skills.map(({ label, slot, gems, enabled }, at) => (
              <li key={at} className={`break-words ${enabled ? "" : "text-soft"}`}>
                <span className="text-xs text-soft">
                  {label} {slot}
                </span>{" "}
                {gems.map(({ name, level: gemLevel }) => `${name} ${gemLevel}`).join(", ")}
              </li>
            ))}
          </ul>
        </div>
        <div className="min-w-0">
          <h3 className="text-xs text-soft">Items</h3>
          <ul className="mt-1 flex flex-col gap-1 text-sm">
            {items.map(({ slot, name, rarity }, at) => (
              <li key={at} className="break-words">
                <span className="text-xs text-soft">{slot ?? "not worn"}</span> {name}{" "}
                <span className="text-xs text-soft">{rarity.toLowerCase()}</span>
              </li>
            ))}
          </ul>
        </div>
        <div className="min-w-0">
          <h3 className="text-xs text-soft">Stored stats, not computed</h3>
          <dl className="tabular mt-1 text-sm">
            {stats.slice(0, mostStats).map(([name, value]) => (
              <div key={name} className="flex justify-between gap-3">
                <dt className="min-w-0 truncate text-soft">{name}</dt>
                <dd>{statText(value)}</dd>
              </div>
            ))}
            {stats.length === 0 && <p className="text-soft">The file has none.</p>}
            {stats.length > mostStats && <p className="text-soft">and {stats.length - mostStats} more</p>}
          </dl>
        </div>
      </div>
      {notes !== "" && (
        <details>
          <summary className="cursor-pointer text-sm text-soft">Notes</summary>
          <p className="mt-2 text-sm break-words whitespace-pre-wrap">{notes}</p>
        </details>
      )}
    </section>
  );
};
