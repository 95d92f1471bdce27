/**
 * What the kernel and the thread of a service say to each other over their link. Types alone: plain data, as a structured clone carries
 * it.
 */
import type { CallRequest, Principal, Progress, Question } from "../call/call.ts";
import type { ReadOptions } from "../observe/event.ts";
import type { Level } from "../observe/log.ts";
import type { PlacedCall } from "./placement.ts";

/** What a thread is started with. */
export interface ThreadStart {
  readonly service: string;
  /** Address of the service's module. */
  readonly module: string;
  /** Its section of the configuration, on the wire side of its schema. */
  readonly section: unknown;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stays: boolean;
  /** The folder that all services' folders are in. */
  readonly stateDir: string;
  /** Only some of its procedures are called there: what the kernel asks without waiting, it asks the service that runs in the kernel. */
  readonly isPartial?: boolean;
}

/** A call, as the request `call` or the stream `subscribe`. */
export interface ThreadCall
  extends Pick<
    PlacedCall,
    | "procedure"
    | "input"
    | "principal"
    | "leftMs"
    | "attempts"
    | "traceparent"
    | "idempotencyKey"
    | "lastEventId"
    | "run"
  > {
  readonly id: number;
  /** Its caller wants to know how far it has come. */
  readonly progress: boolean;
  /** Its caller can be asked. */
  readonly ask: boolean;
}

/** A peer's call that the service makes, as the request `peer` or the stream `peer`. */
export interface PeerRequest
  extends Pick<CallRequest, "procedure" | "input" | "timeoutMs" | "attempts" | "trace" | "lastEventId"> {
  readonly id: number;
  readonly principal: Principal;
  readonly progress: boolean;
}

/** What a handler adds to the log of its run, as the note `line`. */
export interface LineNote {
  readonly id: number;
  readonly line: string;
}

/** How far a call, or a peer's call, has come: the note `progress`. */
export interface ProgressNote {
  readonly id: number;
  readonly progress: Progress;
}

/** Something for whoever made a call: the request `ask`. */
export interface QuestionRequest {
  readonly id: number;
  readonly question: Question;
}

/** A line of the service's log: the note `log`. */
export interface LogNote {
  readonly level: Level;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>> | undefined;
}

/** An event of the service: the note `event`. */
export interface EventNote {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Which events the service reads: the stream `events`. */
export type EventsRequest = Omit<ReadOptions, "signal">;

/** A look at the thread, the note `ping`, and the request `start`: the latest event's number. The note `pong` answers with `PlacedDetails`. */
export interface Ping {
  readonly seq: number;
}
