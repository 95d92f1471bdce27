import { expect, test } from "vitest";
import { readProfile, startProfile } from "./profile.ts";

const callFrame = (functionName: string, url: string, lineNumber: number) => ({
  functionName,
  url,
  lineNumber,
  columnNumber: 0,
  scriptId: "1",
});

const nodes = [
  { id: 1, callFrame: callFrame("(root)", "", -1), hitCount: 0, children: [2, 3, 5] },
  {
    id: 2,
    callFrame: callFrame("<b>", "file:///home/a%20b/x.ts", 9),
    hitCount: 30,
    children: [4],
    positionTicks: [
      { line: 11, ticks: 20 },
      { line: 12, ticks: 10 },
    ],
  },
  { id: 3, callFrame: callFrame("(idle)", "", -1), hitCount: 900 },
  {
    id: 4,
    callFrame: callFrame("", "node:internal/x", 0),
    hitCount: 10,
    positionTicks: [{ line: 3, ticks: 10 }],
  },
  { id: 5, callFrame: callFrame("(garbage collector)", "", -1), hitCount: 10 },
];

test("the most expensive lines, as shares of the time it was busy", () => {
  expect(readProfile("x", { nodes }).lines).toEqual([
    { place: "/home/a b/x.ts:11", share: 0.4 },
    { place: "/home/a b/x.ts:12", share: 0.2 },
    { place: "node:internal/x:3", share: 0.2 },
  ]);
});

test("a graph in which names are text", () => {
  const { html } = readProfile('"shop.add"', { nodes });
  expect(html).toContain("<title>&quot;shop.add&quot;</title>");
  expect(html).toContain('title="&lt;b&gt; 80.0 %\n/home/a b/x.ts:10"');
  expect(html).toContain("width:80.00%");
  expect(html).not.toContain("<b>");
  expect(html).not.toContain("(idle)");
  expect(html).not.toMatch(/<script|https?:/);
});

test("of what really ran", async () => {
  const stop = await startProfile();
  let text = "";
  for (let index = 0; index < 300_000; index += 1) text = JSON.stringify({ text: text.slice(0, 50), index });
  const { html, lines } = readProfile("it", await stop());
  expect(lines.length).toBeGreaterThan(0);
  expect(html).toContain("profile.test.ts");
});
