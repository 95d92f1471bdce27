/**
 * The page that people see who open the kernel's address in a browser. Static text: no script, no style from elsewhere.
 */
interface Page {
  readonly type: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

const addresses: readonly (readonly [path: string, what: string])[] = [
  ["/api", "HTTP API; the paths are in the OpenAPI document"],
  ["/trpc", "tRPC"],
  ["/mcp", "MCP, all tools; /mcp/&lt;service&gt; for one service's"],
  ["/docs", "the reference, a page a service at /docs/&lt;service&gt;.md"],
  ["/llms.txt", "where the reference is, for models"],
  ["/openapi.json", "OpenAPI 3.1 document"],
  [
    "/schema",
    "JSON Schema of a service at /schema/&lt;service&gt;.json, of a procedure or a named type at /schema/&lt;service&gt;/&lt;name&gt;.json",
  ],
  ["/verbs.json", "command-line verbs of the services, where they declare some"],
  ["/metrics", "Prometheus metrics"],
  ["/livez", "liveness"],
  ["/readyz", "readiness, with the state of each service"],
  ["/version", "name and version"],
];

/** Addresses that answer a plain GET, so that a link is of use. */
const linked: ReadonlySet<string> = new Set([
  "/docs",
  "/llms.txt",
  "/openapi.json",
  "/metrics",
  "/livez",
  "/readyz",
  "/version",
]);

export const indexPage = ({ name, version }: { readonly name: string; readonly version: string }): Page => {
  const rows = addresses.map(
    ([path, what]) =>
      `<li>${linked.has(path) ? `<a href="${path}">${path}</a>` : `<code>${path}</code>`}: ${what}</li>`,
  );
  const title = `${escaped(name)} ${escaped(version)}`;
  return {
    type: "text/html; charset=utf-8",
    text: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
<ul>
${rows.join("\n")}
</ul>
</html>
`,
    headers: {
      "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "referrer-policy": "no-referrer",
    },
  };
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
