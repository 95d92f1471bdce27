/** The tickets of a run as a board, and the one that is open in full: what it asks for, its plan, what it may touch, its diffs. */
import { Badge, Card, Empty, Mono, type Tone } from "@fairlead/console/kit";
import type { ReactNode } from "react";
import { api, type Ticket } from "./api.ts";
import { phaseTitle } from "./phase-graph.ts";
import { FileText } from "./run-files.tsx";
import { count } from "./words.ts";

interface BoardProps {
  readonly project: string;
  readonly runId: string;
  readonly tickets: readonly Ticket[];
  /** The ticket that is open. */
  readonly open: string | undefined;
  readonly onOpen: (ticket: string | undefined) => void;
}

const columns: readonly {
  readonly title: string;
  readonly statuses: readonly Ticket["status"][];
  readonly tone: Tone;
}[] = [
  { title: "Ready", statuses: ["ready"], tone: "plain" },
  { title: "In work", statuses: ["in_progress"], tone: "accent" },
  { title: "Done", statuses: ["done"], tone: "good" },
  { title: "Stopped", statuses: ["blocked", "aborted"], tone: "bad" },
];

const riskTones = { low: "plain", medium: "warn", high: "bad" } as const;

export const Board = ({ project, runId, tickets, open, onOpen }: BoardProps) => {
  const shown = tickets.find(({ ticket_id }) => ticket_id === open);
  if (tickets.length === 0)
    return (
      <Card>
        <Empty title="No ticket yet">The scout proposes them: its agent reads the project first.</Empty>
      </Card>
    );
  return (
    <div className="flex flex-col gap-5">
      <div className="grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-4">
        {columns.map(({ title, statuses, tone }) => {
          const inside = tickets.filter(({ status }) => statuses.includes(status));
          return (
            <section key={title} aria-label={title} className="min-w-0 rounded-lg bg-sunk p-2">
              <h3 className="flex items-center justify-between gap-2 px-2 py-1 text-sm font-semibold">
                {title} <Badge tone={inside.length === 0 ? "plain" : tone}>{inside.length}</Badge>
              </h3>
              <ul className="mt-1 flex flex-col gap-2">
                {inside.map((ticket) => (
                  <li key={ticket.ticket_id}>
                    <TicketTile
                      ticket={ticket}
                      isOpen={ticket.ticket_id === open}
                      onOpen={() => onOpen(ticket.ticket_id === open ? undefined : ticket.ticket_id)}
                    />
                  </li>
                ))}
                {inside.length === 0 && <li className="px-2 py-3 text-sm text-soft">none</li>}
              </ul>
            </section>
          );
        })}
      </div>
      {shown !== undefined && <TicketDetail project={project} runId={runId} ticket={shown} />}
    </div>
  );
};

interface TileProps {
  readonly ticket: Ticket;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}

const TicketTile = ({
  ticket: { title, category, status, phase, priority, note, plan },
  isOpen,
  onOpen,
}: TileProps) => (
  <button
    type="button"
    aria-expanded={isOpen}
    onClick={onOpen}
    className={`block w-full rounded-md border bg-card p-3 text-left hover:border-accent ${isOpen ? "border-accent" : "border-line"}`}
  >
    <span className="block text-sm font-medium break-words">{title}</span>
    <span className="mt-2 flex flex-wrap items-center gap-1">
      <Badge>{category}</Badge>
      {phase !== null && <Badge tone="accent">{phaseTitle(phase)}</Badge>}
      {plan?.state === "held" && <Badge tone="warn">▲ plan waits</Badge>}
      {status === "aborted" && <Badge tone="warn">aborted</Badge>}
      {status === "blocked" && <Badge tone="bad">blocked</Badge>}
      <span className="tabular text-xs text-soft" title="Priority: the highest is taken first">
        {priority}
      </span>
    </span>
    {note !== null && <span className="mt-2 block text-xs text-soft break-words">{note.slice(0, 160)}</span>}
  </button>
);

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="min-w-0">
    <h3 className="text-xs text-soft">{title}</h3>
    <div className="mt-1 text-sm break-words">{children}</div>
  </section>
);

const Lines = ({ items, isCode = false }: { readonly items: readonly string[]; readonly isCode?: boolean }) =>
  items.length === 0 ? (
    <span className="text-soft">none</span>
  ) : (
    <ul className="flex flex-col gap-1">
      {[...new Set(items)].map((item) => (
        <li key={item}>{isCode ? <Mono>{item}</Mono> : item}</li>
      ))}
    </ul>
  );

const TicketDetail = ({
  project,
  runId,
  ticket,
}: {
  readonly project: string;
  readonly runId: string;
  readonly ticket: Ticket;
}) => {
  const { title, description, rationale, risk, steps, note, policy, plan } = ticket;
  return (
    <Card title={title} actions={<Badge tone={riskTones[risk]}>{risk} risk</Badge>}>
      <div className="grid gap-4 p-4 md:grid-cols-2">
        <Part title="What is to be done">
          <p className="whitespace-pre-wrap">{description}</p>
          {rationale !== "" && <p className="mt-2 text-soft whitespace-pre-wrap">{rationale}</p>}
        </Part>
        <Part title="What has to hold at its end">
          <Lines items={ticket.acceptance_criteria} />
        </Part>
        <Part title="What must pass">
          <Lines items={ticket.verification_commands} isCode />
        </Part>
        {steps !== null && <Part title="Prompts it has used">{steps}</Part>}
        {note !== null && <Part title="How it ended">{note}</Part>}
        {plan !== null && (
          <Part title={plan.state === "held" ? "Its plan, which waits for a person" : "Its plan"}>
            <p className="text-soft">
              {plan.risk_level} risk, about {count(plan.estimated_lines, "line")}
            </p>
            <Lines
              items={plan.files.map(
                ({ path, action, reason }) => `${action} ${path}${reason === "" ? "" : `: ${reason}`}`,
              )}
              isCode
            />
          </Part>
        )}
        {policy !== null && (
          <Part title="What it may touch">
            <Lines
              items={policy.allowed_paths.length === 0 ? ["all that is not denied"] : policy.allowed_paths}
              isCode
            />
            <p className="mt-1 text-soft">
              {count(policy.max_files, "file")} and {count(policy.max_lines, "line")} at most
              {policy.plan_required && ", with a plan"}
            </p>
            <details className="mt-1">
              <summary className="cursor-pointer text-soft">what is always denied</summary>
              <Lines items={[...policy.denied_paths, ...policy.denied_patterns]} isCode />
            </details>
          </Part>
        )}
      </div>
      <Diffs project={project} runId={runId} ticket={ticket.ticket_id} />
    </Card>
  );
};

/** What it changed, the last report first. */
const Diffs = ({
  project,
  runId,
  ticket,
}: {
  readonly project: string;
  readonly runId: string;
  readonly ticket: string;
}) => {
  const { data } = api.useQuery("listRunFiles", { project, run_id: runId });
  const diffs = (data?.files ?? [])
    .filter(({ kind, ticket_id }) => kind === "diff" && ticket_id === ticket)
    .toReversed();
  return (
    <div className="border-t border-line p-4">
      {diffs.length === 0 ? (
        <p className="text-sm text-soft">It has reported no change yet.</p>
      ) : (
        diffs.map((file, index) => (
          <details key={file.path} open={index === 0} className="mb-2">
            <summary className="cursor-pointer text-sm font-medium">What it had changed at prompt {file.step}</summary>
            <div className="mt-2">
              <FileText project={project} runId={runId} file={file} />
            </div>
          </details>
        ))
      )}
    </div>
  );
};
