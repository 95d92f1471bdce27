/** The console names the MCP clients that the command knows, in the command's order. Read as text: neither room imports the other. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const names = (path: string): readonly string[] =>
  [
    ...readFileSync(new URL(`../../clients/${path}`, import.meta.url), "utf8").matchAll(
      /\bid: "([a-z-]{1,40})",\s{1,20}title: "([^"\n]{1,60})"/g,
    ),
  ].map(([, id, title]) => `${id} ${title}`);

it("the lists are one", () => {
  const listed = names("console/src/mcp-clients/clients.ts");
  expect(listed).toEqual(names("cli/src/mcp-client/clients.ts"));
  expect(listed.length).toBeGreaterThan(5);
});
