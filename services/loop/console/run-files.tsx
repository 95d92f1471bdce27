/** What a run has left: prompts as they were handed out, diffs and artifacts; a list, and the one that is open beside it. */
import {
  Badge,
  byteSize,
  Card,
  CodeBlock,
  CopyCommand,
  Empty,
  ErrorNote,
  Mono,
  readCallError,
} from "@fairlead/console/kit";
import { api, type RunFile, type Ticket } from "./api.ts";
import { PatchView } from "./patch-view.tsx";

interface FilesProps {
  readonly project: string;
  readonly runId: string;
  readonly tickets: readonly Ticket[];
  /** The one that is open. */
  readonly path: string | undefined;
  readonly onOpen: (path: string) => void;
}

const tones = { diff: "good", prompt: "accent", artifact: "plain" } as const;

export const RunFiles = ({ project, runId, tickets, path, onOpen }: FilesProps) => {
  const { data, error } = api.useQuery("listRunFiles", { project, run_id: runId });
  const files = data?.files ?? [];
  const open = files.find((each) => each.path === path) ?? (path === undefined ? files[0] : undefined);
  if (error !== null) return <ErrorNote {...readCallError(error)} />;
  if (data === undefined) return <p className="text-soft">Asking…</p>;
  if (files.length === 0)
    return (
      <Card>
        <Empty title="Nothing was left yet">
          Prompts appear here when the agent asks, diffs when it reports a result.
        </Empty>
      </Card>
    );
  return (
    <div className="grid items-start gap-5 lg:grid-cols-3">
      <Card title={`Files: ${files.length}`}>
        <ul className="max-h-96 divide-y divide-line overflow-auto lg:max-h-none">
          {files.map((file) => (
            <li key={file.path}>
              <FileRow
                file={file}
                tickets={tickets}
                isOpen={file.path === open?.path}
                onOpen={() => onOpen(file.path)}
              />
            </li>
          ))}
        </ul>
      </Card>
      <div className="min-w-0 lg:col-span-2">
        {open === undefined ? (
          <Card>
            <Empty title="There is no such file">Choose another one.</Empty>
          </Card>
        ) : (
          <Card
            title={<Mono>{open.path}</Mono>}
            actions={<CopyCommand command={`fairlead run file ${runId} ${open.path}`} />}
          >
            <div className="p-4">
              <FileText project={project} runId={runId} file={open} />
            </div>
          </Card>
        )}
      </div>
    </div>
  );
};

interface RowProps {
  readonly file: RunFile;
  readonly tickets: readonly Ticket[];
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

const FileRow = ({ file: { path, kind, step, ticket_id, bytes }, tickets, isOpen, onOpen }: RowProps) => {
  const title = tickets.find((each) => each.ticket_id === ticket_id)?.title;
  return (
    <button
      type="button"
      aria-current={isOpen}
      onClick={onOpen}
      className={`block w-full px-4 py-2 text-left hover:bg-sunk ${isOpen ? "bg-accent-soft" : ""}`}
    >
      <span className="flex items-center justify-between gap-2">
        <span className="flex min-w-0 items-center gap-2">
          <Badge tone={tones[kind]}>{kind}</Badge>
          <span className="truncate text-sm">{path.slice(path.indexOf("/") + 1)}</span>
        </span>
        <span className="tabular shrink-0 text-xs text-soft">{byteSize(bytes)}</span>
      </span>
      <span className="block truncate text-xs text-soft">
        prompt {step}
        {title !== undefined && `, ${title}`}
      </span>
    </button>
  );
};

interface TextProps {
  readonly project: string;
  readonly runId: string;
  readonly file: RunFile;
}

/** What a file holds: a patch in its colours, everything else as it is. */
export const FileText = ({ project, runId, file: { path, kind } }: TextProps) => {
  const { data, error } = api.useQuery("readRunFile", { project, run_id: runId, path });
  if (error !== null) return <ErrorNote {...readCallError(error)} />;
  if (data === undefined) return <p className="text-soft">Asking…</p>;
  return kind === "diff" ? <PatchView text={data.text} label={path} /> : <CodeBlock text={data.text} label={path} />;
};
