/** What a person does to the open session: decides on a plan that waits, answers its agent, pauses, resumes, nudges, ends. */
import { Badge, Button, ErrorNote, Mono, readCallError, useMayCall } from "@fairlead/console/kit";
import { type ReactNode, useId, useState } from "react";
import { api, type SessionStatus } from "./api.ts";

interface ControlsProps {
  readonly project: string;
  readonly status: SessionStatus;
}

const useDone = () => {
  const refresh = api.useRefresh();
  return {
    onSettled: () => {
      for (const name of ["sessionStatus", "viewRun", "listRuns", "listProjects"] as const) refresh(name);
    },
  };
};

const why = "Your token may read and not act";

export const Controls = ({ project, status }: ControlsProps) => {
  const { held_plan, paused } = status;
  return (
    <div className="flex flex-col gap-3">
      {held_plan !== null && <WaitingPlan project={project} plan={held_plan} />}
      {paused?.by === "agent" && <Question project={project} text={paused.text} />}
      <Buttons project={project} status={status} />
    </div>
  );
};

const Callout = ({ title, children }: { readonly title: ReactNode; readonly children: ReactNode }) => (
  <section className="rounded-md border border-line bg-warn-soft p-4">
    <h3 className="font-semibold text-warn">{title}</h3>
    <div className="mt-2 flex flex-col gap-3 text-sm">{children}</div>
  </section>
);

interface AskProps {
  readonly label: string;
  readonly button: string;
  readonly isPending: boolean;
  /** Gives true where the text may be empty. */
  readonly mayBeEmpty?: boolean;
  readonly onSend: (text: string) => void;
}

/** A text and the button that sends it; Enter does, too. */
const Ask = ({ label, button, isPending, mayBeEmpty = false, onSend }: AskProps) => {
  const [text, setText] = useState("");
  const id = useId();
  const mayAct = useMayCall("loop");
  const isReady = mayAct && !isPending && (mayBeEmpty || text.trim() !== "");
  return (
    <form
      className="flex flex-wrap items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isReady) return;
        onSend(text.trim());
        setText("");
      }}
    >
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <label htmlFor={id} className="text-xs text-soft">
          {label}
        </label>
        <input
          id={id}
          value={text}
          onChange={({ target }) => setText(target.value)}
          className="h-8 w-full rounded-md border border-line bg-card px-3 text-sm text-text"
        />
      </div>
      <Button type="submit" disabled={!isReady} title={mayAct ? undefined : why}>
        {button}
      </Button>
    </form>
  );
};

const WaitingPlan = ({
  project,
  plan,
}: {
  readonly project: string;
  readonly plan: NonNullable<SessionStatus["held_plan"]>;
}) => {
  const approve = api.useMutation("approvePlan");
  const reject = api.useMutation("rejectPlan");
  const done = useDone();
  const mayAct = useMayCall("loop");
  const { ticket_id, risk_level, files, file_risks } = plan;
  const error = approve.error ?? reject.error;
  return (
    <Callout title="A plan waits for you">
      <p>
        Its agent says <Badge tone={risk_level === "high" ? "bad" : "warn"}>{risk_level} risk</Badge>. It would touch:
      </p>
      <ul className="break-words">
        {files.map((file) => (
          <li key={file}>
            <Mono>{file}</Mono>
          </li>
        ))}
      </ul>
      {file_risks.map((risk) => (
        <p key={risk} className="text-warn break-words">
          ▲ {risk}
        </p>
      ))}
      <div className="flex flex-wrap items-end gap-3">
        <Button
          tone="main"
          disabled={!mayAct || approve.isPending}
          title={mayAct ? undefined : why}
          onClick={() => approve.mutate({ project, ticket_id }, done)}
        >
          Approve
        </Button>
        <div className="min-w-0 flex-1">
          <Ask
            label="Or say why not; the agent plans again"
            button="Reject"
            isPending={reject.isPending}
            onSend={(reason) => reject.mutate({ project, ticket_id, reason }, done)}
          />
        </div>
      </div>
      {error !== null && <ErrorNote {...readCallError(error)} />}
    </Callout>
  );
};

const Question = ({ project, text }: { readonly project: string; readonly text: string }) => {
  const resume = api.useMutation("resumeSession");
  const done = useDone();
  return (
    <Callout title="Its agent asks">
      <p className="break-words whitespace-pre-wrap">{text}</p>
      <Ask
        label="Your answer; the next prompts have it"
        button="Answer"
        isPending={resume.isPending}
        onSend={(answer) => resume.mutate({ project, answer }, done)}
      />
      {resume.error !== null && <ErrorNote {...readCallError(resume.error)} />}
    </Callout>
  );
};

const Buttons = ({ project, status: { paused, pending_hints } }: ControlsProps) => {
  const [isSure, setSure] = useState(false);
  const pause = api.useMutation("pauseSession");
  const resume = api.useMutation("resumeSession");
  const nudge = api.useMutation("nudge");
  const end = api.useMutation("endSession");
  const done = useDone();
  const mayAct = useMayCall("loop");
  const title = mayAct ? undefined : why;
  const error = pause.error ?? resume.error ?? nudge.error ?? end.error;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        {paused === null ? (
          <Button disabled={!mayAct || pause.isPending} title={title} onClick={() => pause.mutate({ project }, done)}>
            Pause
          </Button>
        ) : (
          <Button
            tone="main"
            disabled={!mayAct || resume.isPending}
            title={title}
            onClick={() => resume.mutate({ project }, done)}
          >
            Resume
          </Button>
        )}
        <Button
          tone="danger"
          disabled={!mayAct || end.isPending}
          title={title}
          onClick={() => (isSure ? end.mutate({ project }, done) : setSure(true))}
          onBlur={() => setSure(false)}
        >
          {isSure ? "Really end it: open tickets are aborted" : "End"}
        </Button>
        <div className="min-w-0 flex-1">
          <Ask
            label="A hint for the next scout"
            button="Nudge"
            isPending={nudge.isPending}
            onSend={(hint) => nudge.mutate({ project, hint }, done)}
          />
        </div>
      </div>
      {paused?.by === "person" && (
        <p className="text-sm text-warn break-words">
          ▲ Paused{paused.text !== "" && `: ${paused.text}`}. Its agent is answered WAIT until it is resumed.
        </p>
      )}
      {pending_hints.length > 0 && (
        <p className="text-sm text-soft break-words">Hints that wait for the next scout: {pending_hints.join("; ")}</p>
      )}
      {error !== null && <ErrorNote {...readCallError(error)} />}
    </div>
  );
};
