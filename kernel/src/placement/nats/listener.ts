/**
 * What takes the messages of a subscription: the one way that code of ours runs in the client of NATS, whose reader ends for good with anything that is thrown
 * there, and with it every later message.
 *
 * Not here: what a message says (`envelope.ts`).
 */
import type { Msg } from "@nats-io/transport-node";
import type { Log } from "../../observe/log.ts";

export const makeListener =
  (log: Log, take: (message: Msg) => void) =>
  (refused: Error | null, message: Msg): void => {
    if (refused !== null) {
      log("error", "NATS refused a subscription", {
        error: refused,
        fix: "give this user the right to subscribe to it",
      });
      return;
    }
    try {
      take(message);
    } catch (error) {
      log("error", "a message over NATS could not be read, and was dropped", { subject: message.subject, error });
    }
  };
