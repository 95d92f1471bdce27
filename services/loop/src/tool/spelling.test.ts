/** Parameters in snake case: every tool whose parameters the spec writes in camel case understands them. */
import { loop } from "@fairlead/contracts/loop";
import { afterEach, beforeEach, expect, it } from "vitest";
import * as z from "zod";
import { sampleProposal } from "../testing/sample.ts";
import { LoopTestKernel, type ToolReply } from "../testing/test-kernel.ts";

const inLongTier = process.env.TESTS_TIER === "long";

let testKernel: LoopTestKernel;
let ticket_id: string;
let run_id: string;

beforeEach(async () => {
  testKernel = new LoopTestKernel();
  ({ run_id } = (await testKernel.scout([sampleProposal("Close the file")], { direct: false })) as { run_id: string });
  ({ ticketId: ticket_id } = (await testKernel.call("nextTicket")) as { ticketId: string });
});
afterEach(() => testKernel.close());

const calls: Readonly<Record<string, () => Promise<ToolReply>>> = {
  getScopePolicy: () => testKernel.call("getScopePolicy", { ticket_id }),
  validateScope: () => testKernel.call("validateScope", { ticket_id, changed_files: ["src/close-the-file.ts"] }),
  completeTicket: () => testKernel.call("completeTicket", { ticket_id, run_id }),
  failTicket: () => testKernel.call("failTicket", { ticket_id, run_id, reason: "too hard" }),
  gitSetup: () => testKernel.call("gitSetup", { ticket_id, base_branch: "main" }),
};

it.each(Object.keys(calls).filter((_, at) => inLongTier || at % 3 === 0))("%s", async (name) => {
  const { ticketId, ticket_id: shown } = await (calls[name]?.() ?? Promise.reject(new Error(name)));
  expect(ticketId ?? shown ?? ticket_id).toBe(ticket_id);
});

it("holds for every procedure with such a parameter", () => {
  const camel = Object.entries(loop.procedures).filter(([, { input }]) =>
    Object.keys(z.toJSONSchema(input, { io: "input" }).properties ?? {}).some((field) => /[A-Z]/.test(field)),
  );
  expect(camel.map(([name]) => name).toSorted()).toEqual(Object.keys(calls).toSorted());
});

it("lets the spec's spelling win, and refuses a field by the spec's name", async () => {
  const both = { ticketId: ticket_id, ticket_id: "tkt_zzzzzzzzzzzz", changedFiles: ["src/close-the-file.ts"] };
  expect(await testKernel.call("validateScope", both)).toMatchObject({ valid: true });
  await expect(testKernel.call("validateScope", { ticket_id })).rejects.toMatchObject({
    issues: [{ path: "changedFiles" }],
  });
});
