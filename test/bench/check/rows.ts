/**
 * What `bench -- --check` compares: each row is a ratio of CPU time, of something of ours to the least that can do the same. Times of a machine say
 * nothing about another one; these ratios do, as far as its Node and its processor are alike.
 *
 * Not here: how a side is measured (`sides.ts`), and what is judged (`judge.ts`).
 */

export interface Row {
  readonly name: string;
  /** What is ours. */
  readonly side: SideName;
  /** What it is compared with. */
  readonly limit: SideName;
}

/** One thing that is measured; several rows may share one. */
export type SideName = ServerSide | ProcessSide;

export const serverSides = [
  "raw sum",
  "raw echo",
  "HTTP sum",
  "HTTP echo",
  "tRPC sum",
  "tRPC echo",
  "MCP sum",
  "MCP echo",
  "raw list",
  "MCP list",
] as const;
export type ServerSide = (typeof serverSides)[number];

/** Measured in a process that answers nobody. */
export const processSides = [
  "zod echo",
  "dispatch sum",
  "dispatch echo",
  "bare pipe",
  "bridge",
  "loop",
  "question",
] as const;
export type ProcessSide = (typeof processSides)[number];

export const rows: readonly Row[] = [
  { name: "HTTP, sum: raw node:http", side: "HTTP sum", limit: "raw sum" },
  { name: "HTTP, 2 KB echo: raw node:http", side: "HTTP echo", limit: "raw echo" },
  { name: "tRPC, sum: raw node:http", side: "tRPC sum", limit: "raw sum" },
  { name: "tRPC, 2 KB echo: raw node:http", side: "tRPC echo", limit: "raw echo" },
  { name: "MCP tools/call, sum: raw node:http", side: "MCP sum", limit: "raw sum" },
  { name: "MCP tools/call, 2 KB echo: raw node:http", side: "MCP echo", limit: "raw echo" },
  { name: "MCP tools/list: raw node:http with the same bytes", side: "MCP list", limit: "raw list" },
  { name: "in process, sum: 2 KB checked twice by compiled Zod", side: "dispatch sum", limit: "zod echo" },
  { name: "in process, 2 KB echo: the same checks by compiled Zod", side: "dispatch echo", limit: "zod echo" },
  { name: "bridge to a subprocess: a bare pipe", side: "bridge", limit: "bare pipe" },
  { name: "inspector, filter and count by type: a loop by hand", side: "question", limit: "loop" },
];
