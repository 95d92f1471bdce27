/** For tests only: a served MCP transport over the fake procedures. */

import type { Mount } from "../server/mount.ts";
import { type McpOptions, mount } from "../transport/mcp/mount.ts";
import { type Fake, type FakeMount, type FakeProcedure, fakeKernel, listen } from "./mcp-fake.ts";

export interface FakeServer extends Fake {
  readonly mounted: Mount;
  readonly server: FakeMount;
}

const open: FakeMount[] = [];

/** Stops everything that `start` started. */
export const stopAll = async (): Promise<void> => {
  await Promise.all(open.splice(0).map((server) => server.close()));
};

/** Serves the fake procedures, or others, on a free port. */
export const start = async (
  options?: McpOptions,
  procedures?: Readonly<Record<string, FakeProcedure>>,
): Promise<FakeServer> => {
  const fake = fakeKernel(procedures);
  const mounted = mount(fake.surroundings, options);
  const server = await listen(mounted);
  open.push(server);
  return { ...fake, mounted, server };
};
