/**
 * The kernel's state, opened on first need, since most kernels never have one. State that an earlier kernel left is opened after a
 * while all the same: its old answers have to go.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EventStore } from "../observe/event-log.ts";
import type { Log } from "../observe/log.ts";
import type { AnswerStore } from "../policy/idempotency.ts";
import type { KernelState } from "./state.ts";

export interface LazyState {
  answers(): Promise<AnswerStore>;
  events(): Promise<EventStore>;
  close(): Promise<void>;
}

/** Milliseconds that a kernel has to start before it cleans up what an earlier one left. */
const lookAfterMs = 30_000;

/** `log` gets a line about a file that was damaged. */
export const lazyState = (folder: string, log: Log): LazyState => {
  const file = join(folder, "kernel.sqlite");
  let state: Promise<KernelState> | undefined;
  const onDamage = (aside: string): void =>
    log("error", "the kernel's state was damaged: stored answers of keyed calls are lost, a repeat of one runs again", {
      file,
      aside,
    });
  const open = (): Promise<KernelState> => {
    state ??= import("./state.ts")
      .then(({ openState }) => openState(file, { onDamage }))
      .catch((cause: unknown) => {
        // The next call that needs the state tries again: a disk may have room by then.
        state = undefined;
        log("error", "the kernel's state cannot be opened", { file, cause });
        throw cause;
      });
    return state;
  };
  const later = setTimeout(() => {
    // The first call that needs the state meets the failure again, and reports it.
    if (existsSync(file)) open().catch(() => undefined);
  }, lookAfterMs).unref();
  return {
    answers: async () => (await open()).answers,
    events: async () => (await open()).events,
    close: async () => {
      clearTimeout(later);
      (await state)?.close();
    },
  };
};
