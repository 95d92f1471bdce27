/**
 * The private socket of a process that owns a state folder. It listens before the folder is claimed and before any service is loaded; who
 * connects meanwhile waits.
 */
import { randomBytes } from "node:crypto";
import { chmodSync, lstatSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { makeFolder, ownerFolder, type SocketPlace, socketPlaces } from "@fairlead/kernel/owner";
import type { Context } from "../command/context.ts";
import { userId } from "./place.ts";

export interface OwnerListener {
  readonly path: string;
  /** Gives those that wait, and all that come from now on, to a kernel. */
  serve(accept: (socket: Socket) => void): void;
  /** Takes no more connections; those that are open stay. */
  close(): void;
}

/** Listens where it can. `undefined` where no place takes a socket. */
export const listen = async (context: Context, stateFolder: string): Promise<OwnerListener | undefined> => {
  const places = socketPlaces({
    ownerFolder: ownerFolder(stateFolder),
    name: randomBytes(6).toString("hex"),
    platform: process.platform,
    env: context.io.env,
    user: userId(context),
    temporary: tmpdir(),
  });
  for (const place of places) {
    const server = isPrivate(place) ? await bind(place.path) : undefined;
    if (server !== undefined) return openListener(server, place);
  }
  return undefined;
};

/** Whether only this user can reach what is in the folder; makes it where it is missing. */
const isPrivate = ({ folder }: SocketPlace): boolean => {
  if (folder === undefined) return true;
  try {
    makeFolder(folder);
    const found = lstatSync(folder);
    return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0;
  } catch {
    return false;
  }
};

const bind = (path: string): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer({ allowHalfOpen: true });
    server.once("error", () => resolve(undefined));
    server.listen({ path, backlog: 511 }, () => resolve(server));
  });

const openListener = (server: Server, { path, folder }: SocketPlace): OwnerListener => {
  if (folder !== undefined) chmodSync(path, 0o600);
  // The kernel, or a client on stdin, keeps the process alive; a socket that waits for callers does not.
  server.unref();
  let waiting: Socket[] | undefined = [];
  let take: ((socket: Socket) => void) | undefined;
  server.on("connection", (socket) => {
    if (take !== undefined) take(socket);
    else waiting?.push(socket.on("error", () => socket.destroy()));
  });
  return {
    path,
    serve: (accept) => {
      take = accept;
      for (const socket of waiting ?? []) if (!socket.destroyed) accept(socket);
      waiting = undefined;
    },
    close: () => {
      for (const socket of waiting ?? []) socket.destroy();
      waiting = undefined;
      server.close();
      if (folder !== undefined) rmSync(path, { force: true });
    },
  };
};
