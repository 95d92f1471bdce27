/**
 * Where a thread is that does not come to an end: it is paused by the debugger of this process, asked for its stack, and let go on.
 *
 * Not here: a thread that waits for a promise, which runs nothing (`stalled-place`).
 */
import { Session } from "node:inspector";
import { isMainThread, type Worker } from "node:worker_threads";
import { faultPlace } from "@fairlead/contracts";

/** Milliseconds for the thread to pause; one in a system call does not. */
const pauseMs = 10_000;

/** The innermost file of an author that runs, as `path:line`; `undefined` for a thread that runs none, and where this is not the main thread, which alone can pause others. Never rejects. */
export const busyPlace = async (worker: Worker): Promise<string | undefined> =>
  isMainThread ? await pausePlace(worker) : undefined;

const pausePlace = (worker: Worker): Promise<string | undefined> =>
  new Promise((resolve) => {
    const session = new Session();
    const scripts = new Map<unknown, string>();
    let send = (_: DebuggerMessage): void => undefined;
    let place: string | undefined;
    const finish = (): void => {
      clearTimeout(timer);
      session.disconnect();
      resolve(place);
    };
    const timer = setTimeout(finish, pauseMs);
    session.connect();
    session.on("NodeWorker.attachedToWorker", ({ params: { sessionId, workerInfo } }) => {
      if (workerInfo.workerId !== String(worker.threadId)) return;
      send = (message) =>
        session.post("NodeWorker.sendMessageToWorker", { sessionId, message: JSON.stringify(message) });
      send({ id: 1, method: "Debugger.enable" });
      send({ id: 2, method: "Debugger.pause" });
    });
    session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => {
      const { id, method, params: about = {} }: DebuggerReply = JSON.parse(params.message);
      if (method === "Debugger.scriptParsed" && about.url !== undefined) scripts.set(about.scriptId, about.url);
      if (method === "Debugger.paused") {
        const stopped = new Error("stopped");
        const frames = about.callFrames?.map(
          ({ location }) => `    at ${scripts.get(location.scriptId) ?? ""}:${location.lineNumber + 1}:1`,
        );
        stopped.stack = ["Error: stopped", ...(frames ?? [])].join("\n");
        place = faultPlace(stopped);
        // A thread that stays paused cannot be ended.
        send({ id: 3, method: "Debugger.resume" });
        send({ id: 4, method: "Debugger.disable" });
      }
      if (id === 4) finish();
    });
    session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
  });

interface DebuggerMessage {
  readonly id: number;
  readonly method: string;
}

/** What is read of the debugger's messages. */
interface DebuggerReply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly scriptId?: string;
    readonly url?: string;
    readonly callFrames?: readonly { readonly location: { readonly scriptId: string; readonly lineNumber: number } }[];
  };
}
