/**
 * Why a port cannot be listened on, in words that help: when it is in use, the program there is asked whether it is a Fairlead.
 */
import { get } from "node:http";
import { FairleadError } from "@fairlead/contracts";
import * as Effect from "effect/Effect";
import { bracketed, isLoopback } from "./binding.ts";

const mostBytes = 4_096;

/** Turns a failed `listen` into an error for people. */
export const listenFailure = (
  cause: Error,
  target: { readonly host: string; readonly port: number } | { readonly path: string },
): Effect.Effect<FairleadError> => {
  const code = "code" in cause ? String(cause.code) : "";
  if ("path" in target) {
    return Effect.succeed(
      failed("unavailable", cause, {
        message: `listening on the socket ${target.path} failed (${code === "" ? cause.message : code})`,
        hint: "name another folder with `stateDir` in the configuration or FAIRLEAD_STATE_DIR",
      }),
    );
  }
  const { host, port } = target;
  const address = `${bracketed(host)}:${port}`;
  switch (code) {
    case "EADDRINUSE":
      return Effect.map(readVersion(isLoopback(host) ? host : "127.0.0.1", port), (holder) =>
        failed("already_exists", cause, {
          message: `${address} is taken by ${holder === undefined ? "another program" : `a running ${holder}`}`,
          hint: "stop it, or choose another port with --port or FAIRLEAD_PORT",
        }),
      );
    case "EACCES":
      return Effect.succeed(
        failed("permission_denied", cause, {
          message: `this user may not listen on ${address}`,
          hint: "choose a port from 1024 with --port or FAIRLEAD_PORT",
        }),
      );
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return Effect.succeed(
        failed("failed_precondition", cause, {
          message: `${host} is not an address of this machine`,
          hint: "set `host` to 127.0.0.1, or to an address that this machine has",
        }),
      );
    default:
      return Effect.succeed(
        failed("unavailable", cause, {
          message: `listening on ${address} failed (${code === "" ? cause.message : code})`,
          hint: "choose another address with --host and --port",
        }),
      );
  }
};

const failed = (
  code: FairleadError["code"],
  cause: Error,
  words: { readonly message: string; readonly hint: string },
): FairleadError => new FairleadError({ code, ...words }, { cause });

/** Name and version of the Fairlead that answers there, like `Fairlead 0.1.0`. */
const readVersion = (host: string, port: number): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    const finish = (found: string | undefined): void => resume(Effect.succeed(found));
    const request = get({ host, port, path: "/version", timeout: 500, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (text.length > mostBytes) request.destroy();
      });
      response.on("end", () => finish(nameIn(text))).on("error", () => finish(undefined));
    });
    request.on("timeout", () => request.destroy()).on("error", () => finish(undefined));
  });

const nameIn = (text: string): string | undefined => {
  try {
    const { name, version } = JSON.parse(text);
    const isOurs =
      typeof name === "string" &&
      typeof version === "string" &&
      /^[\w.+-]{1,40} [\w.+-]{1,40}$/.test(`${name} ${version}`);
    return isOurs ? `${name} ${version}` : undefined;
  } catch {
    return undefined;
  }
};
