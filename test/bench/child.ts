/** A server under test in a process of its own: tells its port and wires, then its CPU time whenever it is asked. */
import { mcpMeta, type PayloadName, payloads } from "./payload.ts";
import { listServers, type ServerName, servers } from "./servers/all.ts";

const name = process.argv[2] as ServerName;
const { port, wire } = await { ...servers, ...listServers }[name]();

/** What oRPC and MCP put around an input. */
const bodyOf = (payload: PayloadName): unknown => {
  if (name.startsWith("oRPC")) return { json: payloads[payload] };
  if (!name.includes("MCP")) return payloads[payload];
  return {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: payload,
      arguments: payloads[payload],
      _meta: mcpMeta,
    },
  };
};

const wires = Object.fromEntries(
  (["sum", "echo"] as const).map((payload) => {
    const own = wire(payload);
    return [payload, { ...own, body: own.body ?? bodyOf(payload) }];
  }),
);
process.send?.({ port, wires });
process.on("message", () => process.send?.({ cpu: process.cpuUsage(), rss: process.memoryUsage.rss() }));
process.on("disconnect", () => process.exit(0));
