/**
 * The files at the kernel's borders, by kind, each with its reason: where it meets sockets, processes and libraries that know no Effect.
 * Only they may make a promise, a timer or a signal by hand, or be written as async functions.
 */
const kinds = {
  "the synchronous lane: an Effect would cost every call a fiber": {
    "kernel/src/dispatch/dispatch.ts": "answers at once what needs no waiting",
    "kernel/src/dispatch/keyed-answer.ts": "one promise that all callers of a key wait for",
    "kernel/src/dispatch/subscribe.ts": "an async iterable is what transports read",
    "kernel/src/observe/event-reader.ts": "events are offered in the lane and read as async iterables",
    "kernel/src/policy/call-scope.ts": "the one timer, signal and wait of a call, which replace two fibers and a race",
    "kernel/src/policy/idempotency.ts": "one promise that all callers of a key wait for",
    "kernel/src/state/state-writer.ts": "one promise for the answers that are written together",
    "kernel/src/state/group-commit.ts": "one promise for the answers that one transaction stores",
    "kernel/src/transport/http/mount.ts": "carries a call from its socket to dispatch and back",
  },
  "plain code: it knows no Effect": {
    "kernel/src/index.ts": "the entry of hosts",
    "kernel/src/boot/kernel.ts": "a kernel as its host sees it",
    "kernel/src/handler.ts": "a kernel as a function of a runtime, which waits for promises",
    "kernel/src/files.ts": "files of plain services",
    "kernel/src/boot/kernel-service.ts": "a service in the plain shape, as authors write them",
    "kernel/src/host/host.ts": "peers of plain services",
    "kernel/src/host/manifest-file.ts": "the entry of commands that start no kernel",
    "kernel/src/host/service-instance.ts": "reads the handlers of plain services once, for all who wait",
    "kernel/src/subprocess/spawn/subprocess.ts": "processes of plain services",
  },
  "sockets and timers of the system": {
    "kernel/src/server/connections/socket.ts": "what a socket reports by events, for server and transports",
    "kernel/src/server/fetch/answer.ts": "the answer that a runtime waits for",
    "kernel/src/server/guard.ts": "the hang-up of a socket as a signal",
    "kernel/src/server/open-work.ts": "ends what sockets still have open",
    "kernel/src/server/response/web-response.ts": "writes the web responses of the SDKs to a socket",
    "kernel/src/state/lazy-state.ts": "a timer that must not keep the process alive, which Effect's sleep does",
    "kernel/src/transport/http/files/download.ts": "writes a file to a socket as its reader takes it",
    "kernel/src/transport/http/files/multipart.ts": "reads a form from a socket as its handler takes it",
    "kernel/src/transport/http/files/upload.ts": "finds the file in the body of a request",
    "kernel/src/transport/docs/mount.ts": "answers on a socket with what a manifest promises",
  },
  "child processes": {
    "kernel/src/subprocess/protocol/exchange.ts": "one promise and one timer a request, on the fastest path to a child",
  },
  "the edge of the MCP SDK": {
    "kernel/src/transport/mcp/call.ts": "handlers in its shape",
    "kernel/src/transport/mcp/direct-call.ts": "the same calls on a socket, past it",
    "kernel/src/transport/mcp/mount.ts": "its server over HTTP",
    "kernel/src/transport/mcp/rounds.ts": "calls that wait between two of its requests",
    "kernel/src/transport/mcp/sessions.ts": "sessions of its transport",
    "kernel/src/transport/mcp/throttle.ts": "one timer for its notices",
  },
  "the edge of the OAuth libraries": {
    "kernel/src/identity/provider.ts": "requests and signatures in their shape, which is promises",
  },
  "the edge of tRPC and of the WebSocket library": {
    "kernel/src/transport/trpc/mount.ts": "its protocol code over HTTP",
    "kernel/src/transport/trpc/router.ts": "procedures in its shape",
    "kernel/src/transport/trpc/traffic.ts": "what goes over one WebSocket",
    "kernel/src/transport/trpc/web-socket.ts": "its WebSocket adapter",
  },
} as const;

export const borders: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(kinds));

/** Files that may run an Effect themselves or use its unsafe parts, each with its reason. */
export const runners: Readonly<Record<string, string>> = {
  "kernel/src/boot/composition.ts": "launches the layers of a kernel, once",
  "kernel/src/boot/kernel.ts": "an entry: launches the layers of the network, and closes them",
  "kernel/src/call/ambient.ts": "work that is detached from its call needs a fiber of its own",
  "kernel/src/dispatch/run.ts": "the border of a call's two lanes: a handler's Effect is run here, and nowhere else",
  "kernel/src/observe/event-reader.ts": "events are offered in the synchronous lane and read as async iterables",
  "kernel/src/placement/link.ts": "the messages of a port become Effects",
  "kernel/src/placement/place.ts": "the checks of a service are a promise",
  "kernel/src/placement/process-entry.ts":
    "an entry: launches what runs in a worker process, and runs what its plain code waits for",
  "kernel/src/placement/worker-place.ts": "the supervisor reports its changes without waiting",
  "kernel/src/placement/thread-entry.ts":
    "an entry: launches what runs in a thread, and runs what its plain code waits for",
  "kernel/src/policy/call-scope.ts": "the end of a call interrupts its fiber",
  "kernel/src/jobs/background.ts": "the one place where work beside a service that is written with promises is run",
  "kernel/src/runs/journal.ts":
    "a handler's report is noted in its own turn: an Effect would cost each of them a fiber",
  "kernel/src/runs/open-runs.ts":
    "the kernel's own service is written with promises, and a run goes on after the call that asked for it",
  "kernel/src/runs/runner.ts": "a handler's report is noted in its own turn, and its question is a promise",
  "kernel/src/subprocess.ts": "promises for services that are written without Effect",
  "kernel/src/subprocess/spawn/process-event.ts":
    "the one place where the events of a child or a thread become Effects",
  "kernel/src/subprocess/spawn/subprocess.ts": "promises for services that are written without Effect",
  "kernel/src/transport/mcp/stdio.ts": "promises for the command around a scope that owns stdin and stdout",
  "services/connections/src/service.ts": "opens the registry when it is first needed, for handlers that are promises",
  "services/connections/src/startup/lua-script.ts":
    "a worker with a time limit, awaited by code that is written with promises",
  "services/connections/src/upstream/heartbeat.ts": "its field is a semaphore of one",
  "services/connections/src/upstream/stdio-transport.ts": "promises for the MCP SDK around a process that a scope owns",
  "services/connections/src/upstream/upstream.ts": "promises around the MCP SDK, which opens and ends an upstream",
  "kernel/src/supervision/supervisor.ts": "its methods answer at once: they fork what `decide` decided",
  "services/loop/src/git/lock-guard.ts": "a lock for code that is written with promises",
  "services/pob/src/engine/turn-queue.ts": "a queue of one for code that is written with promises",
  "services/pob/src/session/session-registry.ts": "opens and closes the scope of one session, asked by a promise",
};
