/** Tasks for the kernel and its connections: what runs here, and to which other servers it is linked. */
import { type EvalTask, single } from "../task.ts";

export const kernelTasks: readonly EvalTask[] = [
  single("kernel", "links", {
    ask: "To which other MCP servers are we linked, and which of these do not work?",
    call: { tool: "mcp_list", input: {} },
    forbid: ["mcp_reconnect", "mcp_add"],
    answer: [/work/, /dead/],
  }),
  single("kernel", "one-link", {
    ask: "Is the connection to the MCP server that is named work up?",
    expect: [{ tool: ["mcp_status", "mcp_list"] }],
    call: { tool: "mcp_status", input: { name: "work" } },
    answer: [/connected|up\b|yes/i],
  }),
  single("kernel", "link-up", {
    ask: "Connect to another MCP server, at http://127.0.0.1:9/mcp, as harbour.",
    call: { tool: "mcp_add", input: { name: "harbour", url: "http://127.0.0.1:9/mcp" } },
    where: { name: /harbour/, url: /127\.0\.0\.1:9/ },
    answer: [/harbour/],
  }),
  single("kernel", "again", {
    ask: "The server behind the upstream that is named dead may be back: try connecting to it right now.",
    call: { tool: "mcp_reconnect", input: { name: "dead" } },
    where: { name: /dead/ },
    forbid: ["mcp_add"],
    answer: [/dead|connecting|reconnect/i],
  }),
  single("kernel", "unlink", {
    ask: "Disconnect the upstream that is named old, for good.",
    call: { tool: "mcp_remove", input: { name: "old" } },
    where: { name: /old/ },
    answer: [/true|removed|disconnected|gone/i],
  }),
  single("kernel", "health", {
    ask: "Are all services of this kernel healthy?",
    call: { tool: "kernel_services", input: {} },
    answer: [/ready|healthy|yes/i],
  }),
  single("kernel", "memory", {
    ask: "How much memory does the kernel use, and which Node runs it?",
    call: { tool: "kernel_process", input: {} },
    answer: [/24\.\d+/],
  }),
  single("kernel", "failures", {
    ask: "How often were the procedures of the inspector called, and how many calls failed?",
    call: { tool: "kernel_stats", input: { service: "inspector" } },
    where: { service: /inspector/ },
    answer: [/inspector|0|no /i],
  }),
  single("kernel", "what-it-takes", {
    ask: "Which arguments and errors has the procedure of the service rules that rolls plain dice?",
    call: { tool: "kernel_describe", input: { service: "rules", procedure: "roll" } },
    where: { service: /rules/ },
    forbid: ["roll_dice"],
    answer: [/bad_notation|notation/],
  }),
];
