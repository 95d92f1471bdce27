/** The configuration: ours, and what other programs write. */
import { decoder } from "@fairlead/contracts";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatEndpoint, isSameTarget } from "../machine/target.ts";
import { configSchema, toTarget } from "./config.ts";
import { readMcpJson } from "./mcp-json.ts";
import { resolveVariables } from "./variables.ts";

const variable = (name: string): string => `$\{${name}}`;

describe("the section", () => {
  it("takes no time that a timer cannot hold: it would end at once", () => {
    const command = "server";
    for (const limit of ["callMs", "connectMs", "firstConnectMs"]) {
      const parse = (ms: number) => () =>
        configSchema.parse({ upstreams: { a: { command, limits: { [limit]: ms } } } });
      expect(parse(86_400_000)).not.toThrow();
      expect(parse(3_000_000_000)).toThrow();
    }
    for (const limit of ["connectMs", "firstConnectMs", "idleMs", "pingMs"])
      expect(() => configSchema.parse({ times: { [limit]: 3_000_000_000 } })).toThrow();
  });

  it("takes an OAuth client only whole, and for one issuer", () => {
    const given = (oauth: unknown) => () =>
      configSchema.parse({ upstreams: { a: { url: "https://a.example/", oauth } } });
    const issuer = "https://login.example";
    for (const fine of [
      true,
      false,
      {},
      { clientId: "we", issuer },
      { metadataUrl: "https://we.example/client.json" },
    ]) {
      expect(given(fine)).not.toThrow();
    }
    const odd = [
      { clientId: "we" },
      { clientSecret: "x" },
      { issuer },
      { metadataUrl: "http://we.example/" },
      { id: 1 },
    ];
    for (const wrong of odd) expect(given(wrong)).toThrow();
    const upstream = configSchema.parse({
      upstreams: { a: { url: "https://a.example/", oauth: { clientId: "we", issuer } } },
    });
    expect(toTarget(upstream.upstreams.a as never, "/")).toMatchObject({ oauth: { clientId: "we", issuer } });
    const plain = configSchema.parse({ upstreams: { a: { url: "https://a.example/" } } }).upstreams.a;
    expect(toTarget(plain as never, "/")).not.toHaveProperty("oauth");
  });

  it("takes nothing, and fills in what is left out", () => {
    expect(configSchema.parse({})).toMatchObject({ upstreams: {}, most: 256, times: { connectMs: 10_000 } });
    const { upstreams } = configSchema.parse({ upstreams: { a: { url: "http://x/" }, b: { command: "node" } } });
    expect(upstreams.a).toMatchObject({ headers: {}, era: "auto", start: true });
    expect(upstreams.b).toMatchObject({ args: [], env: {} });
  });

  it.each([
    [{ upstreams: { "no good": { url: "http://x/" } } }],
    [{ upstreams: { a: { url: "http://x/", command: "node" } } }],
    [{ upstreams: { a: {} } }],
    [{ upstream: {} }],
    [{ upstreams: { a: { url: "nope" } } }],
    [{ upstreams: { a: { url: "ftp://x/" } } }],
    [{ most: 0 }],
    ["text"],
  ])("refuses %j", (section) => expect(configSchema.safeParse(section)).toMatchObject({ success: false }));
});

describe("what is wrong", () => {
  const issuesOf = (upstream: unknown) => {
    const decoded = decoder(configSchema)({ upstreams: { a: upstream } });
    return decoded.ok ? [] : decoded.issues;
  };

  it("of an address is reported with its place and what was written, unless a variable may yet make it one", () => {
    expect(issuesOf({ url: "nope" })).toMatchObject([
      { path: "upstreams.a.url", expected: expect.stringContaining('"nope" is none') },
    ]);
    expect(issuesOf({ url: `${variable("HOST")}/mcp` })).toEqual([]);
  });

  it("of a start names what it can be", () => {
    expect(issuesOf({ command: "x", start: "lasy" })).toMatchObject([
      { path: "upstreams.a.start", expected: 'one of true, false, "lazy"' },
    ]);
  });
});

describe("readMcpJson", () => {
  it("takes what other programs write, literally", () => {
    const text = JSON.stringify({
      inputs: [],
      mcpServers: {
        files: { type: "stdio", command: "npx", args: ["-y", "x"], env: { TOKEN: variable("TOKEN") }, gallery: true },
        web: { type: "http", url: "https://x/mcp", headers: { authorization: `Bearer ${variable("KEY")}` } },
        off: { command: "x", disabled: true },
      },
    });
    const { upstreams, wrong } = readMcpJson(text, ".mcp.json");
    expect(wrong).toBeUndefined();
    expect(upstreams.files).toMatchObject({ command: "npx", env: { TOKEN: variable("TOKEN") }, start: true });
    expect(upstreams.web).toMatchObject({ headers: { authorization: `Bearer ${variable("KEY")}` } });
    expect(upstreams.off).toMatchObject({ start: false });
  });

  it.each(["{", "[]", "{}", '{"mcpServers":[]}'])("refuses %s", (text) =>
    expect(() => readMcpJson(text, ".mcp.json")).toThrow(/\.mcp\.json/),
  );

  it("takes what it can read, and reports what it cannot, with its place", () => {
    const mcpServers = {
      fine: { command: "x" },
      "a b": { url: "http://x/" },
      odd: { command: 3 },
      also: { url: "http://x/" },
    };
    const { upstreams, wrong } = readMcpJson(JSON.stringify({ mcpServers }), ".mcp.json");
    expect(Object.keys(upstreams)).toEqual(["fine", "also"]);
    expect(wrong?.message).toBe('.mcp.json says of "a b", "odd" what cannot be read');
    expect(wrong?.issues?.map(({ path }) => path)).toEqual(['mcpServers["a b"]', "mcpServers.odd.command"]);
  });
});

describe("a target", () => {
  const { upstreams } = configSchema.parse({
    upstreams: { a: { url: "https://user@host:1/mcp?key=secret#x" }, b: { command: "node", args: ["x"] } },
  });

  it("is shown without its query", () => {
    expect(upstreams.a && formatEndpoint(toTarget(upstreams.a, "/"))).toBe("https://host:1/mcp");
    expect(upstreams.b && formatEndpoint(toTarget(upstreams.b, "/"))).toBe("node x");
  });

  it("is shown with its variables as they are written", () => {
    const url = `https://me:${variable("PASS")}@${variable("HOST")}/mcp/${variable("PART:-a")}?key=${variable("KEY")}`;
    const { a } = configSchema.parse({ upstreams: { a: { url } } }).upstreams;
    expect(a && formatEndpoint(toTarget(a, "/"))).toBe(`https://${variable("HOST")}/mcp/${variable("PART:-a")}`);
  });

  it("is the same whatever the order of its members", () => {
    const one = toTarget(
      { ...configSchema.parse({ upstreams: { a: { url: "http://x/" } } }).upstreams.a, url: "http://x/" } as never,
      "/",
    );
    expect(isSameTarget(one, JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(one).toReversed()))))).toBe(
      true,
    );
    expect(isSameTarget(one, { ...one, era: "legacy" })).toBe(false);
  });
});

describe("variables", () => {
  it("are filled in, with their defaults, or named when they are missing", () => {
    const env = { A: "1", EMPTY: "" };
    expect(resolveVariables({ x: `${variable("A")}-${variable("B:-2")}-${variable("EMPTY")}` }, env)).toEqual({
      ok: true,
      values: { x: "1-2-" },
    });
    expect(resolveVariables({ x: variable("NOPE") }, env)).toEqual({ ok: false, missing: "NOPE", at: "x" });
    const odd = `$A ${variable("not ok")} $`;
    expect(resolveVariables({ x: odd }, env)).toMatchObject({ values: { x: odd } });
  });

  it("are what the plain reading of a text says, however braces and signs are mixed", () => {
    const plain = /\$\{([A-Z])(?::-([^}]{0,40}))?\}/g;
    const piece = fc.constantFrom("$", "{", "}", ":-", "A", "B", " ", variable("A"), variable("B:-2"), variable("B:-"));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const text = pieces.join("");
        const wanted = text.replace(plain, (_, name, otherwise) => (name === "A" ? "1" : (otherwise ?? "missing")));
        const resolved = resolveVariables({ x: text }, { A: "1", AA: "missing", AB: "missing" });
        if (resolved.ok && !/\$\{[AB]{2}/.test(text)) expect(resolved.values.x).toBe(wanted);
        if (!resolved.ok) expect(text).toContain(`\${${resolved.missing}}`);
      }),
    );
  });

  it("of a long text without a brace at its end cost no more than its length", () => {
    const text = "${A:-".repeat(200_000);
    expect(resolveVariables({ x: text }, {})).toEqual({ ok: true, values: { x: text } });
  });

  it("are not filled in twice", () => {
    expect(resolveVariables({ x: variable("A") }, { A: variable("B"), B: "secret" })).toMatchObject({
      values: { x: variable("B") },
    });
  });
});
