/**
 * The files at the kernel's borders, each with its reason: where it meets sockets, processes and libraries that know no Effect. Only they
 * may make a promise, a timer or a signal by hand, or be written as async functions.
 */
export const borders: Readonly<Record<string, string>> = {
  "kernel/src/server/body.ts": "reads a body off a socket",
  "kernel/src/server/guarded-call.ts": "turns the hang-up of a socket into a signal",
  "kernel/src/server/listen-error.ts": "asks the program that holds the port",
  "kernel/src/server/open-work.ts": "ends what sockets still have open",
  "kernel/src/server/server.ts": "the HTTP server of Node",
  "kernel/src/server/stream.ts": "writes to a socket as fast as its reader takes it",
  "kernel/src/subprocess/contain/containment.ts": "probes of the system, by running programs",
  "kernel/src/subprocess/protocol/exchange.ts": "one timer a request, on the fastest path to a child",
  "kernel/src/subprocess/spawn/child.ts": "the pipes and the exit of a child process",
  "kernel/src/subprocess/spawn/command.ts": "the pipes and the exit of a command",
  "kernel/src/subprocess/spawn/launch.ts": "the exit event of a child process",
  "kernel/src/subprocess/spawn/line-process.ts": "the pipes and the exit of a process that speaks lines",
  "kernel/src/subprocess/spawn/settles-within.ts": "waits for the exit of a child process",
  "kernel/src/subprocess/spawn/subprocess.ts": "promises for services that are written without Effect",
  "kernel/src/subprocess.ts": "promises for services that are written without Effect",
  "kernel/src/transport/docs/mount.ts": "answers on a socket",
  "kernel/src/transport/http/mount.ts": "answers and streams on a socket",
  "kernel/src/transport/mcp/call.ts": "handlers in the MCP SDK's shape",
  "kernel/src/transport/mcp/direct-call.ts": "answers on a socket without the SDK",
  "kernel/src/transport/mcp/endpoint.ts": "reads the generated tools once",
  "kernel/src/transport/mcp/lines.ts": "stdin and stdout as lines",
  "kernel/src/transport/mcp/mount.ts": "the edge of the MCP SDK over HTTP",
  "kernel/src/transport/mcp/reply.ts": "writes the SDK's web responses to a socket",
  "kernel/src/transport/mcp/rounds.ts": "calls that wait between two HTTP requests of a client",
  "kernel/src/transport/mcp/sessions.ts": "sessions of the SDK's transport",
  "kernel/src/transport/mcp/stdio.ts": "the edge of the MCP SDK over stdin and stdout",
  "kernel/src/transport/mcp/throttle.ts": "one timer for notices on a socket",
  "kernel/src/transport/trpc/mount.ts": "the edge of tRPC's protocol code",
  "kernel/src/transport/trpc/reply.ts": "writes tRPC's web responses to a socket",
  "kernel/src/transport/trpc/request.ts": "a web request as tRPC's protocol code reads it",
  "kernel/src/transport/trpc/router.ts": "procedures in tRPC's shape",
};

/** Files that may run an Effect themselves or use its unsafe parts, each with its reason. */
export const runners: Readonly<Record<string, string>> = {
  "kernel/src/subprocess/spawn/subprocess.ts": "promises for services that are written without Effect",
  "services/connections/src/upstream/upstream.ts": "promises around the MCP SDK, which opens and ends an upstream",
  "services/loop/src/git/lock-guard.ts": "a lock for code that is written with promises",
  "kernel/src/supervision/supervisor.ts": "its methods answer at once: they fork what `decide` decided",
};
