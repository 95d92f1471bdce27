/**
 * The files at the kernel's borders, by kind, each with its reason: where it meets sockets, processes and libraries that know no Effect.
 * Only they may make a promise, a timer or a signal by hand, or be written as async functions.
 */
const kinds = {
  "the synchronous lane: an Effect would cost every call a fiber": {
    "kernel/src/dispatch/dispatch.ts": "answers at once what needs no waiting",
    "kernel/src/dispatch/keyed-answer.ts": "one promise that all callers of a key wait for",
    "kernel/src/dispatch/lent-place.ts": "an answer is a promise, as the handler that asked waits for it",
    "kernel/src/dispatch/subscribe.ts": "an async iterable is what transports read",
    "kernel/src/observe/event-reader.ts": "events are offered in the lane and read as async iterables",
    "kernel/src/policy/call-scope.ts": "the one timer, signal and wait of a call, which replace two fibers and a race",
    "kernel/src/policy/idempotency.ts": "one promise that all callers of a key wait for",
    "kernel/src/state/state-writer.ts": "one promise for the answers that are written together",
    "kernel/src/state/group-commit.ts": "one promise for the answers that one transaction stores",
    "kernel/src/forward/forwarded-service.ts": "handlers of an imported service, which ask by fetch",
    "kernel/src/transport/http/mount.ts": "carries a call from its socket to dispatch and back",
  },
  "plain code: it knows no Effect": {
    "kernel/src/index.ts": "the entry of hosts",
    "kernel/src/boot/kernel.ts": "a kernel as its host sees it",
    "kernel/src/handler.ts": "a kernel as a function of a runtime, which waits for promises",
    "kernel/src/files.ts": "files of plain services",
    "kernel/src/boot/kernel-service.ts": "a service in the plain shape, as authors write them",
    "kernel/src/resources/choices.ts": "answers of dispatch, which are promises",
    "kernel/src/resources/follow.ts": "streams of dispatch, which are async iterables",
    "kernel/src/resources/follows.ts": "ends what handlers of the MCP SDK and mounts follow",
    "kernel/src/resources/handlers.ts": "handlers of the kernel's plain service",
    "kernel/src/resources/resources.ts": "answers of dispatch, which are promises",
    "kernel/src/resources/watch.ts": "an async iterable of a plain handler",
    "kernel/src/host/host.ts": "peers of plain services",
    "kernel/src/host/manifest-file.ts": "the entry of commands that start no kernel",
    "kernel/src/host/service-instance.ts": "reads the handlers of plain services once, for all who wait",
    "kernel/src/subprocess/spawn/subprocess.ts": "processes of plain services",
  },
  "sockets and timers of the system": {
    "kernel/src/server/connections/socket.ts": "what a socket reports by events, for server and transports",
    "kernel/src/server/fetch/answer.ts": "the answer that a runtime waits for",
    "kernel/src/server/guard.ts": "the hang-up of a socket as a signal",
    "kernel/src/boot/front-records.ts": "a timer for what is said together, set by calls in their synchronous lane",
    "kernel/src/server/shared/elsewhere.ts": "an answer of another process, as its socket reports it",
    "kernel/src/server/open-work.ts": "ends what sockets still have open",
    "kernel/src/server/response/web-response.ts": "writes the web responses of the SDKs to a socket",
    "kernel/src/call/within.ts": "a bound for the last promises of a store, whose files know no Effect",
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
    "kernel/src/transport/mcp/files/contents.ts": "a source's bytes, an async iterable that may never go on",
    "kernel/src/transport/mcp/files/sent-file.ts": "a path and the folders of a client, asked by a promise",
    "kernel/src/transport/mcp/mount.ts": "its server over HTTP",
    "kernel/src/transport/mcp/prompts/prompts.ts": "handlers in its shape",
    "kernel/src/transport/mcp/resources.ts": "handlers in its shape",
    "kernel/src/transport/mcp/resources/listen.ts": "what its requests to listen name",
    "kernel/src/transport/mcp/server.ts": "handlers in its shape",
    "kernel/src/transport/mcp/rounds.ts": "calls that wait between two of its requests",
    "kernel/src/transport/mcp/sessions.ts": "sessions of its transport",
    "kernel/src/call/throttle.ts": "one timer for its notices",
  },
  "the edge of the client of NATS": {
    "kernel/src/placement/nats/connection.ts": "what it says of its connection, as an async iterable",
    "kernel/src/placement/nats/examine.ts": "one look for a command that starts no kernel",
    "kernel/src/placement/fleet/arrival-gate.ts": "messages from its callbacks, kept while one question is answered",
    "kernel/src/placement/nats/fleet.ts": "what nodes say, from its callbacks",
    "kernel/src/placement/nats/micro.ts": "answers to one question, from whoever answers in time",
    "kernel/src/placement/nats/offer-subscriptions.ts": "questions to callers, before what was kept goes on",
    "kernel/src/placement/nats/offer.ts": "the loss of its place, from its callbacks to a command",
    "kernel/src/placement/nats/offered-calls.ts": "calls from its callbacks to dispatch and back, which is promises",
    "kernel/src/placement/nats/peers.ts": "replies from its callbacks, one wait a call",
    "kernel/src/placement/nats/remote-stream.ts": "an async iterable that its callbacks fill",
  },
  "sockets between the nodes of a cluster": {
    "kernel/src/placement/cluster/exchange.ts": "one call and the end of its lease, whichever comes first",
    "kernel/src/placement/cluster/guarded-events.ts": "an async iterable that ends when its key is another's",
    "kernel/src/placement/cluster/node.ts":
      "questions to PostgreSQL, one after the other, and the time that calls have to end",
    "kernel/src/placement/cluster/peer-client.ts": "a request and its answer, as the socket reports them",
    "kernel/src/placement/cluster/peer-server.ts": "calls from its sockets to dispatch and back, which is promises",
    "kernel/src/placement/cluster/place.ts": "replies of another node, an async iterable",
  },
  "the edge of the client of PostgreSQL": {
    "kernel/src/placement/cluster/lease-table.ts": "questions one after the other",
    "kernel/src/store/sessions.ts": "sessions as plain services use them, which wait for promises",
    "kernel/src/store/answers.ts": "batches of writes, each a question to its promises",
    "kernel/src/store/connection.ts": "its connection, and the timers of a farewell and of a pause before another try",
    "kernel/src/store/examine.ts": "one look for a command that starts no kernel",
    "kernel/src/store/open-answers.ts": "the store as keyed answers use it, which wait for promises",
    "kernel/src/store/schema.ts": "questions one after the other, before all others",
  },
  "a file of sessions, in the shape of those of a cluster": {
    "kernel/src/store/session-file.ts": "sessions as plain services use them, which wait for promises",
  },
  "the edge of the OAuth libraries": {
    "kernel/src/identity/provider.ts": "requests and signatures in their shape, which is promises",
  },
  "the edge of tRPC and of the WebSocket library": {
    "kernel/src/transport/trpc/mount.ts": "its protocol code over HTTP",
    "kernel/src/transport/trpc/router.ts": "procedures in its shape",
    "kernel/src/transport/trpc/traffic.ts": "what goes over one WebSocket",
    "kernel/src/transport/trpc/upload.ts": "forms that go past its protocol code",
    "kernel/src/transport/trpc/web-socket.ts": "its WebSocket adapter",
  },
} as const;

export const borders: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(kinds));

/** Who runs Effects, by kind. What is not here gives its Effect to its caller. */
const runnerKinds = {
  "entries: launch layers or a service once, and close them": {
    "kernel/src/boot/composition.ts": "the layers of a kernel",
    "kernel/src/boot/kernel.ts": "the layers of the network; a kernel as its host sees it is promises",
    "kernel/src/boot/front-entry.ts": "what runs in a front, and what its plain code waits for",
    "kernel/src/placement/process-entry.ts": "what runs in a worker process, and what its plain code waits for",
    "kernel/src/placement/thread-entry.ts": "what runs in a thread, and what its plain code waits for",
    "kernel/src/transport/mcp/stdio.ts": "a scope that owns stdin and stdout, for the command that waits for its end",
  },
  "the border in dispatch: a call runs in two lanes": {
    "kernel/src/dispatch/run.ts": "a handler's Effect is run here, and nowhere else",
    "kernel/src/policy/call-scope.ts": "the end of a call interrupts the fiber that `run.ts` started",
    "kernel/src/call/ambient.ts":
      "a fiber keeps the ambient call that it was started with, so what is detached from a call is started anew",
    "kernel/src/observe/event-reader.ts":
      "each call offers its event in the synchronous lane, where an Effect would cost it a fiber",
    "kernel/src/runs/journal.ts": "reports of a handler are plain calls that have to keep their order",
    "kernel/src/runs/runner.ts": "its question is a promise that the handler waits for; reports are as in the journal",
  },
  "callbacks: what happens outside of any fiber becomes an Effect that waits": {
    "kernel/src/placement/link.ts": "messages of a port",
    "kernel/src/fronts/fronts.ts": "the same of fronts, and a connection, which is given away at once",
    "kernel/src/placement/worker-place.ts": "changes of state, which the supervisor reports without waiting",
    "kernel/src/subprocess/spawn/process-event.ts": "events of a child or a thread, in one place for all of them",
    "kernel/src/supervision/supervisor.ts":
      "`decide` is pure and its commands are begun at once: a restart must not wait for who reported the crash",
  },
  "plain authors: services are written without Effect, and their shape is promises": {
    "kernel/src/jobs/background.ts": "work beside a service, in one place",
    "kernel/src/placement/place.ts": "a service's own checks, of which the shape is a promise",
    "kernel/src/runs/open-runs.ts": "the kernel's own service has the plain shape, and a run outlives the call for it",
    "kernel/src/subprocess.ts": "a command of a plain service",
    "kernel/src/subprocess/spawn/subprocess.ts": "a process of a plain service",
    "services/connections/src/service.ts":
      "the registry is opened by the first call, and all who come meanwhile share it",
    "services/connections/src/startup/lua-script.ts":
      "a startup script is awaited by startup modules, which authors write",
    "services/loop/src/git/lock-guard.ts": "loop's git is promises throughout; here is its one lock, with a retry",
    "services/pob/src/engine/turn-queue.ts": "the engine's interface is promises, and a shim in place of it as well",
    "services/pob/src/session/session-registry.ts": "a session has a scope, and is opened and closed by such handlers",
  },
  "the edge of the MCP SDK, whose transports and clients are promises and callbacks": {
    "services/connections/src/upstream/stdio-transport.ts": "a process that a scope owns is one of its transports",
    "services/connections/src/upstream/upstream.ts": "a scope owns one of its clients",
  },
} as const;

/** Files that may run an Effect themselves or use its unsafe parts, each with its reason. */
export const runners: Readonly<Record<string, string>> = Object.assign({}, ...Object.values(runnerKinds));
