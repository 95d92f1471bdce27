/** `fairlead conn`: the connections of a running kernel on the command line. */
import type { Verb, VerbArgument, VerbNotFound, VerbText, VerbView, VerbWatch } from "../core/index.ts";

const name: VerbArgument = { name: "name", field: "name", about: "Name of the connection" };

const absent: VerbNotFound = {
  noun: "connection",
  name: "$name",
  known: { call: "list", each: "name" },
  see: "conn ls",
};
const unknownConnection: VerbNotFound = { ...absent, known: "known" };

/** Why it is not connected, how often it was tried and when it is tried next; and what is quarantined. */
const problem: VerbText = {
  parts: [
    "{progress.step}",
    "{error}",
    "failed {attempt|times}",
    "next try by {nextRetry|time} UTC",
    "{quarantined|count} kept back",
  ],
  between: "; ",
};

const change = "{path}: {was|or:nothing} -> {now|or:nothing}";

const watch: Omit<VerbWatch, "input"> = {
  call: "events",
  // The first event is a snapshot, which the result has shown already.
  skip: 1,
  about: "Follow its events, until interrupted",
  show: [
    {
      parts: ["{seq}", "{at}", "{event.type}", "{event.name}", "{event|pairs:type,name,reason,changes}"],
      between: " ",
    },
    { each: "event.changes", show: `  {tool} ${change}` },
  ],
};

const status: VerbView = [
  {
    fields: "connection",
    filled: true,
    format: {
      progress: { parts: ["{step} since {since}, begun {began}, at most {limitMs} ms", "{output}"], between: "; " },
      lastError: { parts: ["{message} ({reason}, {at})", "failed in step {step}", "{hint}"], between: "; " },
    },
  },
  { each: "quarantine", show: ["kept back  {tool}", { each: "changes", show: `  ${change}` }] },
];

/** "Nothing has changed" would not be known. */
const refuseUnread = [
  {
    when: [{ missing: "plan.changes" }, { present: "plan.problems" }],
    code: "failed_precondition",
    message: "not all could be read, and what could has not changed: {plan.problems}",
    hint: "correct that; nothing is removed until then",
  },
] as const;

const planned: VerbView = [
  {
    first: [
      { when: [{ missing: "plan.changes" }], show: "nothing has changed" },
      {
        show: {
          each: "plan.changes",
          show: { parts: ["{change}  {name}", "{from|or:-} -> {to|or:-}", "{fields}"], between: "  " },
        },
      },
    ],
  },
  { each: "plan.problems", show: "not read  {.}" },
];

const switchedTools: VerbArgument = {
  name: "tool",
  field: "tools",
  about: "The upstream's names of tools; the connection itself when left out",
  optional: true,
  many: true,
};

const switchView: VerbView = [
  { first: [{ when: [{ present: "enabled" }], show: "{$name} is enabled" }, { show: "{$name} is disabled" }] },
  { each: "disabledTools", show: "hidden  {.}" },
];

export const verbs: Readonly<Record<string, Verb>> = {
  "conn ls": {
    summary: "List connections to upstream MCP servers",
    examples: ["fairlead conn ls", "fairlead conn ls --watch"],
    kernel: "running",
    steps: [
      { call: "list", as: "connections" },
      { call: "listDisabled", as: "off" },
    ],
    document: { connections: "connections", disabled: "off" },
    show: [
      {
        table: "connections",
        columns: [
          { head: "NAME", cell: "{name}" },
          { head: "STATE", cell: "{state}" },
          { head: "TOOLS", cell: "{tools}" },
          { head: "CALLS", cell: "{calls}" },
          { head: "ERA", cell: "{era}" },
          { head: "ENDPOINT", cell: "{endpoint|cut:60}" },
          { head: "PROBLEM", cell: problem },
        ],
      },
      { each: "disabled.connections", show: "disabled  {name}  {endpoint|cut:60}" },
      { each: "disabled.tools", show: "hidden  {name}  {tools}" },
    ],
    notes: [
      {
        first: [
          {
            when: [{ missing: "connections" }],
            show: "there are no connections; add one with `fairlead conn add <name> <url>`",
          },
        ],
      },
    ],
    watch: { ...watch, input: { snapshot: true } },
  },
  "conn status": {
    summary: "Show one connection",
    arguments: [name],
    examples: ["fairlead conn status holler"],
    kernel: "running",
    steps: [
      { call: "status", as: "connection", absent },
      { call: "quarantine", as: "kept" },
    ],
    document: { connection: "connection", quarantine: "kept.tools" },
    show: status,
    watch: { ...watch, input: { snapshot: true, name: "$name" } },
  },
  "conn add": {
    summary: "Add a connection, without waiting for it",
    arguments: [
      name,
      {
        name: "url",
        field: "url",
        about: "Address of its MCP endpoint; left out for one that the configuration names",
        optional: true,
      },
    ],
    flags: [
      { flags: "-H, --header <header...>", field: "headers", about: "Header to send, like `x-team: red`" },
      { flags: "--era <era>", field: "era", about: "Protocol era; found out when left out" },
      { flags: "--save", about: "Write it into the .mcp.json of the configuration, too" },
    ],
    examples: [
      "fairlead conn add holler http://localhost:8080/mcp",
      "fairlead conn add files    # named in the configuration",
      "fairlead conn add holler http://localhost:8080/mcp --save",
    ],
    kernel: "running",
    steps: [
      {
        call: "add",
        as: "connection",
        errors: {
          not_configured: {
            code: "not_found",
            hint: { parts: ["give an address", "or one of {known}"], between: ", " },
          },
        },
      },
      { call: "save", as: "saved", when: [{ present: "$save" }], input: { name: "$name" } },
    ],
    document: { connection: "connection", saved: "saved" },
    show: [
      "{$name} is {connection.state}",
      {
        first: [
          {
            when: [{ present: "saved.added" }],
            show: { parts: ["wrote {saved.path}", "as it was: {saved.backup}"], between: "; " },
          },
          { when: [{ present: "saved.path" }], show: "{saved.path} has it already" },
        ],
      },
      { each: "saved.added", show: "+ {.}" },
    ],
  },
  "conn enable": {
    summary: "Take back what `conn disable` has said",
    arguments: [name, switchedTools],
    examples: ["fairlead conn enable files"],
    kernel: "running",
    steps: [{ call: "enable", as: "is", errors: { unknown_connection: unknownConnection } }],
    document: { enabled: "is.enabled", disabledTools: "is.disabledTools" },
    show: switchView,
  },
  "conn disable": {
    summary: "Stop a connection, or hide some of its tools, until the kernel ends",
    arguments: [name, switchedTools],
    examples: ["fairlead conn disable files", "fairlead conn disable files write_file move_file"],
    kernel: "running",
    steps: [{ call: "disable", as: "is", errors: { unknown_connection: unknownConnection } }],
    document: { enabled: "is.enabled", disabledTools: "is.disabledTools" },
    show: switchView,
  },
  "conn rm": {
    summary: "Remove a connection",
    arguments: [name],
    examples: ["fairlead conn rm holler"],
    kernel: "running",
    steps: [{ call: "remove", as: "removed", absent }],
    document: { removed: "$name" },
    show: "{$name} is removed",
  },
  "conn reconnect": {
    summary: "Connect again at once, also where it was blocked",
    arguments: [name],
    examples: ["fairlead conn reconnect holler"],
    kernel: "running",
    steps: [{ call: "reconnect", as: "connection", errors: { unknown_connection: unknownConnection } }],
    document: { connection: "connection" },
    show: "{$name} is {connection.state}",
  },
  "conn plan": {
    summary: "Show what a changed .mcp.json or startup script would change",
    examples: ["fairlead conn plan"],
    kernel: "running",
    steps: [{ call: "plan", as: "plan", refuse: refuseUnread }],
    document: { plan: "plan" },
    show: planned,
  },
  "conn apply": {
    summary: "Connect and remove what has changed in the .mcp.json and the startup script",
    examples: ["fairlead conn plan && fairlead conn apply"],
    kernel: "running",
    steps: [{ call: "applyPlan", as: "plan", refuse: refuseUnread }],
    document: { plan: "plan" },
    show: planned,
  },
  "conn approve": {
    summary: "Approve changed tools of an upstream",
    arguments: [
      name,
      {
        name: "tool",
        field: "tools",
        about: "The upstream's names of the tools; all that are kept back when left out",
        optional: true,
        many: true,
      },
    ],
    examples: ["fairlead conn status holler    # what they say now", "fairlead conn approve holler"],
    kernel: "running",
    steps: [
      {
        call: "approve",
        errors: { unknown_connection: unknownConnection },
        refuse: [
          {
            when: [{ some: "$tool", outside: "approved" }],
            code: "not_found",
            message: { parts: ["{$name} keeps back no {$outside}", "approved {approved}"], between: "; " },
            hint: "see `fairlead conn status {$name}` for what it keeps back",
          },
        ],
      },
    ],
    show: {
      first: [
        {
          when: [{ present: "target" }],
          show: { parts: ["approved what it starts or leads to", "{approved}"], between: ", " },
        },
        { when: [{ present: "approved" }], show: "approved {approved}" },
        { show: "nothing was kept back" },
      ],
    },
  },
  "conn import": {
    summary: "Write a typed contract of an upstream's tools",
    description:
      "The service that is written calls the connection by its name at every start, so that it has to be in the configuration or the startup script by then.",
    arguments: [{ ...name, about: "Name of the connection, which must be up" }],
    flags: [{ flags: "--as <id>", about: "Id of the contract; the name's letters and digits when left out" }],
    examples: ["fairlead conn import holler && fairlead gen", "fairlead conn import my-server --as tools"],
    kernel: "running",
    steps: [
      {
        call: "status",
        as: "connection",
        absent,
        refuse: [
          {
            when: [{ missing: "connection.tools" }, { value: "connection.state", not: "connected" }],
            code: "failed_precondition",
            message: "{$name} is {connection.state}: {connection.error|or:its tools are not known yet}",
            hint: "wait for it with `fairlead conn status {$name} --watch`",
          },
        ],
      },
      { call: "tools", as: "listed", input: { connection: "$name" } },
    ],
    imports: {
      through: {
        service: "connections",
        package: "@fairlead/service-connections",
        runtime: "@fairlead/service-connections/imported",
        verbs: { import: "conn import", status: "conn status" },
      },
      tools: "listed.tools",
      connection: "$name",
      id: "$as",
      next: [
        {
          first: [
            {
              when: [{ missing: "connection.configured" }],
              show: "name {$name} in the configuration or startup script",
            },
          ],
        },
      ],
    },
    show: [
      { each: "written", show: "wrote  {.}" },
      { each: "left", show: "left out  {tool}: {why}" },
      { each: "next", show: "next: {.}" },
    ],
  },
  "conn login": {
    summary: "Log in to an upstream by OAuth",
    arguments: [name],
    examples: ["fairlead conn login tracker"],
    kernel: "running",
    steps: [
      {
        call: "beginLogin",
        as: "page",
        input: { name: "$name" },
        browser: { redirect: "redirectUrl", open: "page.authorizationUrl" },
        errors: { unknown_connection: unknownConnection },
      },
      { call: "finishLogin", as: "connection", input: { name: "$name", query: "$query" } },
    ],
    document: { connection: "connection" },
    show: "logged in; {$name} is {connection.state}",
  },
};
