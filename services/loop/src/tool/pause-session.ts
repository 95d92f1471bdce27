/** A person pauses the session and resumes it, or answers its agent's question. Not for agents: these are no tools of MCP. */
import { declaredError } from "../session/declared-error.ts";
import type { EventDraft } from "../session/event-draft.ts";
import type { Project } from "../session/project.ts";
import type { SessionPause } from "../state/pause.ts";
import type { ToolInput, ToolOutput } from "./procedure.ts";
import { createReceipt, type Receipt } from "./record-event.ts";

type PersonReply = ToolOutput<"pauseSession">;

const send = async (
  project: Project,
  draft: EventDraft<"SESSION_PAUSED" | "SESSION_RESUMED">,
): Promise<PersonReply> => {
  const { answer } = await project.send<"SESSION_PAUSED" | "SESSION_RESUMED", Receipt>(draft, createReceipt);
  return { phase: answer.current_phase, message: answer.message };
};

export const pauseSession = (project: Project, { reason, event_id }: ToolInput<"pauseSession">): Promise<PersonReply> =>
  waitFor(project, { by: "person", text: reason }, { id: event_id });

/** Hands out no prompt until a person resumes the session, or answers. */
export const waitFor = (
  project: Project,
  payload: SessionPause,
  more: Pick<EventDraft, "id" | "usage"> = {},
): Promise<PersonReply> => send(project, { type: "SESSION_PAUSED", payload, ...more });

export const resumeSession = async (
  project: Project,
  { answer, event_id }: ToolInput<"resumeSession">,
): Promise<PersonReply> => {
  const draft: EventDraft<"SESSION_RESUMED"> = { type: "SESSION_RESUMED", payload: { answer }, id: event_id };
  if (project.findRepeat(draft) === undefined && project.requireSession().pause === null)
    throw declaredError("not_paused", "the session is not paused, and no question waits for an answer");
  return send(project, draft);
};
