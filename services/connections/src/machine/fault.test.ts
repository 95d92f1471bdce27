/** Which faults waiting can fix. */
import { describe, expect, it } from "vitest";
import { classify, type FaultKind, type Observation } from "./fault.ts";

const rows: readonly (readonly [Observation, FaultKind, string])[] = [
  [{ what: "spawn", command: "nope", code: "ENOENT" }, "permanent", "missing_command"],
  [{ what: "spawn", command: "nope", code: "EACCES" }, "permanent", "missing_command"],
  [{ what: "spawn", command: "node", code: "EAGAIN" }, "transient", "missing_command"],
  [{ what: "exit", code: 1, signal: null, stderr: "" }, "transient", "exited"],
  [{ what: "exit", code: 127, signal: null, stderr: "sh: x: not found" }, "permanent", "missing_command"],
  [{ what: "exit", code: null, signal: "SIGKILL", stderr: "" }, "transient", "exited"],
  [{ what: "socket", code: "ECONNREFUSED", message: "" }, "transient", "refused"],
  [{ what: "socket", code: "ECONNRESET", message: "" }, "transient", "closed"],
  [{ what: "socket", code: "ENOTFOUND", message: "" }, "transient", "unreachable"],
  [{ what: "socket", code: "CERT_HAS_EXPIRED", message: "" }, "permanent", "bad_certificate"],
  [{ what: "socket", code: "DEPTH_ZERO_SELF_SIGNED_CERT", message: "" }, "permanent", "bad_certificate"],
  [{ what: "status", status: 401, opening: true, session: false }, "permanent", "unauthorized"],
  [{ what: "status", status: 401, opening: false, session: true }, "permanent", "unauthorized"],
  [{ what: "status", status: 403, opening: true, session: false }, "permanent", "forbidden"],
  [{ what: "status", status: 404, opening: true, session: false }, "permanent", "not_found"],
  [{ what: "status", status: 404, opening: false, session: true }, "session", "session_expired"],
  [{ what: "status", status: 404, opening: false, session: false }, "transient", "bad_status"],
  [{ what: "status", status: 429, opening: true, session: false }, "transient", "bad_status"],
  [{ what: "status", status: 503, opening: true, session: false }, "transient", "bad_status"],
  [{ what: "status", status: 405, opening: true, session: false }, "permanent", "bad_status"],
  [{ what: "rpc", code: -32602, message: "no" }, "permanent", "unsupported"],
  [{ what: "timeout", ms: 10, opening: true }, "transient", "timeout"],
  [{ what: "closed" }, "transient", "closed"],
  [{ what: "silent", misses: 3 }, "transient", "silent"],
  [{ what: "answer", message: "tools is not a list" }, "doubtful", "bad_answer"],
  [{ what: "header", name: "te", why: "no" }, "permanent", "bad_header"],
  [{ what: "address", message: "private" }, "permanent", "bad_address"],
  [{ what: "folder", path: "/none", use: "sandbox" }, "permanent", "missing_folder"],
  [{ what: "sandbox", why: "no namespaces" }, "permanent", "no_sandbox"],
  [{ what: "secret", name: "TOKEN", why: "it is empty" }, "permanent", "missing_secret"],
  [{ what: "variable", name: "TOKEN", at: "env.TOKEN" }, "permanent", "missing_variable"],
];

describe("classify", () => {
  it.each(rows)("%j is %s, %s", (seen, kind, reason) => {
    const fault = classify(seen);
    expect(fault).toMatchObject({ kind, reason });
    expect(fault.message).not.toBe("");
    if (fault.kind === "permanent") expect(fault.hint).toBeDefined();
  });

  it("reports what a dead process wrote, in bounds", () => {
    const { message } = classify({ what: "exit", code: 1, signal: null, stderr: `noise\n${"x".repeat(9_000)}\n` });
    expect(message.length).toBeLessThanOrEqual(300);
    expect(message).toContain("it wrote: xxx");
  });
});

it.each([429, 503])("%d says for how long to stay away, where the upstream does", (status) => {
  const seen = { what: "status", status, opening: false, session: true } as const;
  expect(classify({ ...seen, retryAfterMs: 7_000 })).toMatchObject({ kind: "transient", retryAfterMs: 7_000 });
  expect(classify(seen)).not.toHaveProperty("retryAfterMs");
});

it("a 401 is answered with what is left to do: a login where `oauth` is set, a token where it is not", () => {
  const seen = { what: "status", status: 401, opening: true, session: false } as const;
  expect(classify({ ...seen, oauth: true }).hint).toMatch(/^run `fairlead conn login`/);
  expect(classify(seen).hint).toMatch(/^give it one under `headers`/);
});

it.each([404, 410, 405, 400])(
  "an address without a path that answers %d is answered with where a server would be",
  (status) => {
    const seen = { what: "status", status, opening: true, session: false } as const;
    expect(classify({ ...seen, noPath: true }).hint).toBe("the address has no path: most MCP servers are at `/mcp`");
    expect(classify(seen).hint).toMatch(/^check the (path|address)$/);
  },
);
