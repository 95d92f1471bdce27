/**
 * The loop in process, without a server: for scripts that drive any model themselves. The same code as behind the tools; input is
 * decoded by the same contract.
 *
 * `startSession` has recorded the session when it returns; `endSession` has ended the session when it returns, and resolves with the
 * summary; `close` waits for whatever is still running.
 */
import "@fairlead/kernel/service";
import { type CallerInput, type CallerOutput, decoder, FairleadError } from "@fairlead/contracts";
import { loop } from "@fairlead/contracts/loop";
import { folderName } from "./project/paths.ts";
import { Project } from "./session/project.ts";
import { type ProjectSurvey, surveyProject } from "./session/scan.ts";
import { formatState } from "./state/state-document.ts";
import { advance } from "./tool/advance.ts";
import { endSessionNow } from "./tool/end-session.ts";
import { ingestEvent, nudge } from "./tool/ingest-event.ts";
import { startSession } from "./tool/start-session.ts";
import type { EpochClock, IdSource } from "./value/id.ts";
import { randomIds } from "./value/random-id.ts";

type LoopProcedures = typeof loop.procedures;
type MethodInput<N extends keyof LoopProcedures> = Omit<CallerInput<LoopProcedures[N]>, "project">;
type MethodOutput<N extends keyof LoopProcedures> = CallerOutput<LoopProcedures[N]>;

export interface DirectClientOptions {
  /** The project's folder; relative to the working directory. */
  readonly projectPath: string;
  /** The project's name in logs and prompts; that of its folder when left out. */
  readonly projectName?: string;
  /** Milliseconds since the epoch; the system's clock when left out. Set it for repeatable runs. */
  readonly clock?: EpochClock;
  /** Twelve base-36 characters at each call; random when left out. Set it for repeatable runs. */
  readonly ids?: IdSource;
  /** Names of environment variables that verification commands may see beside PATH, HOME, LANG, LC_ALL and TMPDIR; none by default. */
  readonly qaEnvironment?: readonly string[];
}

const decode = <N extends keyof LoopProcedures>(name: N, input: unknown) => {
  const decoded = decoder<never>(loop.procedures[name].input)(input);
  if (decoded.ok) return decoded.value;
  throw new FairleadError({
    code: "invalid_argument",
    message: `the input of ${name} does not fit: ${decoded.issues.map(({ path, expected }) => `${path}: ${expected}`).join("; ")}`,
    issues: decoded.issues,
  });
};

export class DirectClient {
  readonly #project: Project;
  readonly #scan: ProjectSurvey;
  readonly #running = new Set<Promise<unknown>>();

  private constructor(project: Project, scan: ProjectSurvey) {
    this.#project = project;
    this.#scan = scan;
  }

  /** Opens the project; a session that was interrupted goes on with `advance`. */
  static async create({
    projectPath,
    projectName,
    clock,
    ids,
    qaEnvironment,
  }: DirectClientOptions): Promise<DirectClient> {
    const project = new Project(projectName ?? folderName(projectPath), projectPath, {
      clock: clock ?? Date.now,
      ids: ids ?? randomIds,
      warn: (message, fields) => process.emitWarning(message, { detail: JSON.stringify(fields) }),
      qaEnvironment: qaEnvironment ?? [],
      qaTimeLimitMs: 120_000,
    });
    return new DirectClient(project, await surveyProject(project));
  }

  /**
   * Starts a session and records it before it returns. Throws a `FairleadError`: `session_active` when one is active (call `advance` to
   * continue it), `project_busy` when another process has it, `git_refused` where the repository had no commit when the client was made,
   * `unknown_formula`, `invalid_argument`.
   */
  startSession(input: MethodInput<"startSession"> = {}): MethodOutput<"startSession"> {
    return startSession(this.#project, decode("startSession", input), this.#scan);
  }

  /** Takes one step: a prompt, prompts for parallel tickets, or STOP with the reason. Rejects with `no_session` without a session. */
  advance(input: MethodInput<"advance"> = {}): Promise<MethodOutput<"advance">> {
    return this.#track(async () => advance(this.#project, decode("advance", input)));
  }

  /** Reports what was done. `processed` is false when it was refused. The same `eventId` again is applied once and answered the same. */
  ingestEvent(
    type: MethodInput<"ingestEvent">["type"],
    payload: Readonly<Record<string, unknown>>,
    eventId?: string,
  ): Promise<MethodOutput<"ingestEvent">> {
    const input = { type, payload, ...(eventId !== undefined && { event_id: eventId }) };
    return this.#track(async () => ingestEvent(this.#project, decode("ingestEvent", input)));
  }

  /** Adds a hint to the next scout prompt; the last 20 are kept. */
  nudge(hint: string, eventId?: string): Promise<MethodOutput<"nudge">> {
    const input = { hint, ...(eventId !== undefined && { event_id: eventId }) };
    return this.#track(async () => nudge(this.#project, decode("nudge", input)));
  }

  /** The content of state.json; null without an active session. */
  getState(): Readonly<Record<string, unknown>> | null {
    const state = this.#project.peek();
    return state === undefined ? null : formatState(state);
  }

  /** Ends the session before it returns; resolves with the summary. Open tickets are aborted. */
  endSession(input: MethodInput<"endSession"> = {}): Promise<MethodOutput<"endSession">> {
    return this.#track(() => endSessionNow(this.#project, decode("endSession", input)));
  }

  /** Waits for the calls that are still running, then closes the database. The session stays active. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#running);
    this.#project.close();
  }

  #track<T>(start: () => Promise<T>): Promise<T> {
    const running = start();
    this.#running.add(running);
    const done = (): void => {
      this.#running.delete(running);
    };
    running.then(done, done);
    return running;
  }
}
