import { afterAll, beforeAll, expect, it } from "vitest";
import { type Fixture, send, startFixture } from "../../testing/wire-fixture.ts";
import { isViewerUrl } from "../console/shell.ts";

let fixture: Fixture;
beforeAll(async () => {
  fixture = await startFixture();
});
afterAll(() => fixture.close());

const get = (path: string, headers: Readonly<Record<string, string>> = {}) => send(fixture.port, { path, headers });

it("gives a page a service, and says in llms.txt where it is", async () => {
  const page = await get("/docs/wire.md");
  expect(page.headers["content-type"]).toBe("text/markdown; charset=utf-8");
  expect(page.text).toContain("## wire.sum\n\nAdds up.");
  const list = await get("/llms.txt");
  expect(list.headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect(list.text).toContain("- [wire](/docs/wire.md): What tests ask.");
  for (const path of [
    "/docs/other.md",
    "/docs/wire.html",
    "/docs/wire.md/more",
    "/docs/..%2fwire.md",
    "/llms.txt/more",
  ])
    expect((await get(path)).status, path).toBe(404);
});

it("writes calls for the address that the reader came by", async () => {
  const { text, headers } = await get("/docs/openapi.json");
  const { post } = JSON.parse(text).paths["/api/wire/sum"];
  expect(post["x-codeSamples"].map(({ label }: { label: string }) => label)).toEqual([
    "Command",
    "curl",
    "TypeScript",
    "Python",
  ]);
  expect(text).toContain(`http://127.0.0.1:${fixture.port}/api/wire/sum`);
  expect(text).not.toContain("FAIRLEAD_TOKEN");
  expect((await get("/docs/openapi.json", { "if-none-match": String(headers.etag) })).status).toBe(304);
  expect((await get("/docs/openapi.json", { authorization: "Bearer x" })).text).toContain("$FAIRLEAD_TOKEN");
});

it("says where the reference is while there is no viewer, and needs no token for that page alone", async () => {
  const page = await get("/docs");
  expect(page.status).toBe(404);
  expect(page.text).toContain("/docs/<service>.md");
  const urls = ["/docs", "/docs?x", "/docs/", "/docs/openapi.json", "/docsx", "/docs/wire.md"];
  expect(urls.filter(isViewerUrl)).toEqual(["/docs", "/docs?x"]);
});
