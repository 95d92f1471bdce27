/** Counts who comes, in a process of its own: `node turnstile.ts break|keep` tells its port, then at each message when they came. */
import { createServer } from "node:net";

const arrivals: number[] = [];
const server = createServer((socket) => {
  arrivals.push(performance.now());
  socket.on("error", () => undefined);
  if (process.argv[2] === "break") socket.destroy();
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  process.send?.(typeof address === "object" && address !== null ? address.port : 0);
});
process.on("message", () => process.send?.(arrivals));
process.on("disconnect", () => process.exit(0));
