/** A Unix socket that too many open: what is cut there cannot be reset as connections of TCP are. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as Effect from "effect/Effect";
import { expect, it } from "vitest";
import { localPrincipal } from "../../call/call.ts";
import { makeServer } from "../server.ts";

it("makes room at a Unix socket, and goes on", async () => {
  const folder = mkdtempSync(join(tmpdir(), "fairlead-flood-"));
  const path = join(folder, "kernel.sock");
  const server = makeServer({
    mounts: [],
    rules: { hosts: ["localhost"], origins: [], authenticate: () => localPrincipal },
    log: () => undefined,
    limits: { most: 1 },
  });
  await Effect.runPromise(server.listen({ path }));
  const ask = async () => {
    const client = connect(path);
    client.write("GET /nothing HTTP/1.1\r\nhost: localhost\r\n\r\n");
    return { client, answer: String((await once(client, "data"))[0]) };
  };
  const first = await ask();
  const closed = once(first.client, "close");
  const second = await ask();
  await closed;
  expect(second.answer).toMatch(/^HTTP\/1\.1 404 /);
  second.client.destroy();
  await Effect.runPromise(server.close);
  rmSync(folder, { recursive: true, force: true });
});
