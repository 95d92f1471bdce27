/** Fifty stdio servers at once beside `up`: one owner, and no write is lost. */
import { expect, test } from "vitest";
import { type StdioServer, slowProject, startAtOnce, startServer } from "./stdio-servers.ts";

test("fifty stdio servers that start at once beside `up` have one owner and lose no write", async () => {
  const project = await slowProject();
  const servers: StdioServer[] = [];
  try {
    await startAtOnce(project.folder, 50, () => {
      const server = startServer(project.folder);
      servers.push(server);
      return server;
    });
    expect(servers).toHaveLength(50);
  } finally {
    for (const { process } of servers) process.child.kill("SIGKILL");
    await Promise.all(servers.map(({ process }) => process.ended));
    project.remove();
  }
});
