/** A caller that cancels while the server verifies a ticket: nothing is recorded, and the ticket keeps its attempts. */
import { afterEach, beforeEach, expect, it } from "vitest";
import { Project } from "../session/project.ts";
import { surveyProject } from "../session/scan.ts";
import { type Repository, temporaryRepository, tickingClock } from "../testing/repository.ts";
import { sampleProposal } from "../testing/sample.ts";
import { files } from "../testing/test-kernel.ts";
import { countingIds } from "../value/id.ts";
import { advance } from "./advance.ts";
import { ingestEvent } from "./ingest-event.ts";
import { startSession } from "./start-session.ts";
import { nextTicket } from "./ticket.ts";

const file = "src/close-the-file.ts";

let repository: Repository;
let project: Project;

beforeEach(() => {
  repository = temporaryRepository(files);
  const options = {
    clock: tickingClock(),
    ids: countingIds(),
    warn: () => {},
    qaEnvironment: [],
    qaTimeLimitMs: 60_000,
  };
  project = new Project("default", repository.path, options);
});
afterEach(() => {
  project.close();
  repository.remove();
});

it("counts no attempt where the caller has cancelled it", async () => {
  startSession(project, { qa: "server", own_tree: true }, await surveyProject(project));
  await advance(project, {});
  const proposals = [sampleProposal("Close the file", { verification_commands: ["make"] })];
  await ingestEvent(project, { type: "SCOUT_OUTPUT", payload: { proposals } });
  await nextTicket(project);
  await ingestEvent(project, { type: "PLAN_SUBMITTED", payload: { files: [file], risk_level: "low" } });
  repository.write(file, "closed\n");
  await ingestEvent(project, { type: "TICKET_RESULT", payload: { status: "done", changed_files: [file] } });
  const passed = { type: "QA_PASSED", payload: {} } as const;
  await expect(ingestEvent(project, passed, AbortSignal.abort())).rejects.toThrow("abort");
  expect(project.requireSession()).toMatchObject({ phase: "QA", current: { qaRetries: 0 } });
  expect(await ingestEvent(project, passed)).toMatchObject({ processed: true, new_phase: "NEXT_TICKET" });
});
