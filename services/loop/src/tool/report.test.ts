/** The report of a session: what each ticket changed, who verified it, and no word of an agent's that formats or mentions. */

import { writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  begin,
  call,
  closing,
  finish,
  ownTreeKernel,
  place,
  plan,
  proposals,
  report,
  useOwnTree,
} from "../testing/own-tree.ts";

const inLongTier = process.env.TESTS_TIER === "long";

useOwnTree();

it("has a row and a section for each ticket, also once the session has ended", async () => {
  await ownTreeKernel().scout([{ ...proposals[1], title: "Close the file" }], { own_tree: true });
  const id = await plan(closing);
  writeFileSync(place(closing), "closed\n");
  await report("USER_OVERRIDE", { hint: "look", usage: { cost_usd: 0.5, input_tokens: 10, output_tokens: 5 } });
  await finish(closing);
  await call("endSession");
  const { markdown, run_id } = await call("sessionReport");
  expect(markdown).toContain(`# ${run_id}: DONE`);
  expect(markdown).toContain("1 ticket done, 0 of them verified by the server; 0 failed, 0 blocked, 0 aborted.");
  expect(markdown).toContain("0.5 US dollars, 15 tokens");
  expect(markdown).toMatch(/\| Close the file \| done \| client \| [0-9a-f]{10} \|/);
  expect(markdown).toContain(`- changed ${closing}`);
  expect(markdown).toContain("- make: passed, run by the client");
  expect(markdown).not.toContain(id);
});

if (inLongTier) {
  it("lets no title format, mention or break a row", async () => {
    await ownTreeKernel().scout([{ ...proposals[0], title: "Ask @team | <b>now</b> `x` [a](http://b)" }]);
    await plan("src/open-the-door.ts");
    const { markdown } = await call("sessionReport");
    expect(markdown).toContain("Ask &#64;team \\| &lt;b\\>now&lt;/b\\> \\`x\\` \\[a\\]\\(http://b\\)");
  });
}

it("is refused where there is no run of that id", async () => {
  await begin();
  await expect(call("sessionReport", { run_id: "run_zzzzzzzzzzzz" })).rejects.toMatchObject({ reason: "unknown_run" });
});
