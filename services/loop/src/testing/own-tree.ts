/** What tests of sessions that own their working tree start from: a kernel for each test, and a person's and an agent's acts in it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { sampleProposal } from "./sample.ts";
import { LoopTestKernel, type ToolReply } from "./test-kernel.ts";

/** Files of the two tickets that are proposed. */
export const closing = "src/close-the-file.ts";
export const opening = "src/open-the-door.ts";

let testKernel: LoopTestKernel;

/** The kernel of the running test. */
export const ownTreeKernel = (): LoopTestKernel => testKernel;

/** Has each test of the file begin with a fresh kernel. */
export const useOwnTree = (): void => {
  beforeEach(() => {
    testKernel = new LoopTestKernel();
  });
  afterEach(() => testKernel.close());
};

export const call: LoopTestKernel["call"] = (name, input) => testKernel.call(name, input);
export const git = (...args: readonly string[]): string => testKernel.repository.git(...args).trim();

export const proposals = ["Open the door", "Close the file"].map((title) =>
  sampleProposal(title, { verification_commands: ["make"] }),
);

export const begin = (settings: Readonly<Record<string, unknown>> = {}): Promise<ToolReply> =>
  testKernel.scout(proposals, { own_tree: true, ...settings });

export const report = (type: string, payload: Readonly<Record<string, unknown>>): Promise<ToolReply> =>
  call("ingestEvent", { type, payload });

/** Takes the next ticket, which is about these files, and plans it. */
export const plan = async (...planned: readonly string[]): Promise<string> => {
  const { ticketId } = await call("nextTicket");
  await report("PLAN_SUBMITTED", { ticket_id: ticketId, files: planned, risk_level: "low" });
  return ticketId;
};

export const finish = async (file: string): Promise<void> => {
  await report("TICKET_RESULT", { status: "done", changed_files: [file] });
  await report("QA_COMMAND_RESULT", { command: "make", success: true, output: "ok" });
  await report("QA_PASSED", {});
};

export const place = (file: string): string => join(testKernel.repository.path, file);
export const read = (file: string): string => readFileSync(place(file), "utf8");
export const status = (): readonly string[] =>
  testKernel.repository
    .git("status", "--porcelain", "--untracked-files=all")
    .split("\n")
    .filter((line) => line !== "");
