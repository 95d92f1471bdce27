/** What the kernel hears of a session: where it is, and no text of an agent's. */
import { expect, it } from "vitest";
import { Project } from "../session/project.ts";
import { temporaryRepository } from "../testing/repository.ts";
import { sampleProposal } from "../testing/sample.ts";
import { advance } from "../tool/advance.ts";
import { endSession } from "../tool/end-session.ts";
import { ingestEvent } from "../tool/ingest-event.ts";
import { startSession } from "../tool/start-session.ts";
import { randomIds } from "../value/random-id.ts";
import { surveyProject } from "./scan.ts";

it("each line of the log that says how the session stands is an event, in order, once it is on the disk", async () => {
  const repository = temporaryRepository({ "src/a.ts": "" });
  const events: { readonly type: string; readonly data: Readonly<Record<string, unknown>> }[] = [];
  const project = new Project("sample", repository.path, {
    clock: Date.now,
    ids: randomIds,
    warn: () => undefined,
    event: (type, data) => events.push({ type, data }),
    qaEnvironment: [],
    qaTimeLimitMs: 60_000,
  });
  const { run_id } = startSession(project, {}, await surveyProject(project));
  await advance(project, {});
  const proposals = [sampleProposal("Keep it quiet")];
  await ingestEvent(project, { type: "SCOUT_OUTPUT", payload: { proposals } });
  await advance(project, {});
  await endSession(project, {});
  expect(events.map(({ type }) => type)).toEqual([
    "session.start",
    "session.phase_changed",
    "session.ticket_assigned",
    "session.phase_changed",
    "session.end",
    "session.ticket_aborted",
    "session.phase_changed",
  ]);
  const logged = project.store.rows(run_id as `run_${string}`, 0, 100);
  for (const { type, data } of events) {
    expect(data).toMatchObject({ project: "sample", run_id });
    const line = logged.find(({ seq }) => seq === data.seq);
    expect(line?.type.toLowerCase()).toMatch(new RegExp(`^(?:session_)?${type.slice("session.".length)}$`));
  }
  expect(events[2]?.data).toMatchObject({ phase: "PLAN", ticket_id: expect.stringMatching(/^tkt_/) });
  expect(JSON.stringify(events)).not.toContain("quiet");
  project.close();
  repository.remove();
});
