/** What the database keeps, read back: the same as was written, or refused by name. */
import { join } from "node:path";
import Database from "better-sqlite3";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DirectClient } from "../direct-client.ts";
import { clientEventTypes } from "../state/event.ts";
import { temporaryFolder, tickingClock } from "../testing/repository.ts";
import { samplePayloads, sampleProposal } from "../testing/sample.ts";
import { readPayload } from "../tool/payload.ts";
import { countingIds } from "../value/id.ts";
import { decodeStored } from "./stored-event.ts";
import { payloadShapes } from "./stored-shape.ts";

let folder: ReturnType<typeof temporaryFolder>;

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const open = (): Promise<DirectClient> =>
  DirectClient.create({ projectPath: folder.path, clock: tickingClock(), ids: countingIds() });

const session = async (hints: number): Promise<DirectClient> => {
  const client = await open();
  client.startSession();
  await client.advance();
  await client.ingestEvent("SCOUT_OUTPUT", { proposals: [sampleProposal("Close the file")] });
  for (let n = 0; n < hints; n += 1) await client.nudge(`hint ${n}`);
  return client;
};

const edit = (sql: string): void => {
  const db = new Database(join(folder.path, ".promptwheel/state.sqlite"));
  db.exec(sql);
  db.close();
};

describe("a stored payload", () => {
  it("fits its shape whenever the client's was accepted, and comes back as it was", () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.boolean(),
      fc.array(fc.string(), { maxLength: 3 }),
      fc.constantFrom("tkt_000000000001", "low", "done", "high", "3", "true", null),
      fc.array(fc.record({ path: fc.string({ minLength: 1 }), action: fc.constantFrom("edit", "new", "rm") })),
    );
    const field = fc.constantFrom(
      ...new Set([
        "ticket_id",
        "files",
        "cancel",
        ...Object.values(samplePayloads).flatMap((sample) => Object.keys(sample)),
      ]),
    );
    let accepted = 0;
    fc.assert(
      fc.property(fc.constantFrom(...clientEventTypes), fc.dictionary(field, value, { maxKeys: 3 }), (type, change) => {
        const verdict = readPayload(type, { ...samplePayloads[type], ...change });
        if (!verdict.ok) return;
        accepted += 1;
        const json = JSON.stringify(verdict.payload);
        expect(decodeStored(payloadShapes[type], json, type)).toEqual(JSON.parse(json));
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(500);
  });
});

describe("a damaged log", () => {
  it.each([
    ["a payload that is not JSON", "payload = '{' WHERE seq = 3", /line 3 \(SCOUT_OUTPUT\)/],
    [
      "a payload of another shape",
      `payload = '{"proposals":1}' WHERE type = 'SCOUT_OUTPUT'`,
      /\(SCOUT_OUTPUT\).*proposals/,
    ],
    ["a field too many", `payload = '{"hint":"a","x":1}' WHERE type = 'USER_OVERRIDE'`, /\(USER_OVERRIDE\)/],
    [
      "a beginning without settings",
      `payload = json_remove(payload, '$.settings.scope') WHERE seq = 1`,
      /line 1 .*scope/,
    ],
    ["an unknown type", "type = 'MADE_UP' WHERE type = 'SCOUT_OUTPUT'", /\(MADE_UP\).*no such event/],
    ["an id that is none", "id = 'evt_1' WHERE type = 'SCOUT_OUTPUT'", /\(SCOUT_OUTPUT\).*"evt_1"/],
    ["a context of another shape", `context = '{"ticketIds":[1]}' WHERE type = 'SCOUT_OUTPUT'`, /ticketIds/],
    ["a line that is missing", "seq = 999 WHERE seq = 2", /line 2 is damaged: it is missing/],
  ])("with %s is refused by its line, and nothing is written to it", async (_name, change, expected) => {
    await (await session(1)).close();
    edit(`DELETE FROM snapshots; UPDATE events SET ${change}`);
    const client = await open();
    const refusal = { code: "data_loss", reason: "damaged", message: expect.stringMatching(expected) };
    expect(() => client.getState()).toThrow(expect.objectContaining(refusal));
    await expect(client.advance()).rejects.toMatchObject(refusal);
    await client.close();
  });

  it("that lost its end is refused", async () => {
    await (await session(1)).close();
    edit("DELETE FROM events WHERE seq = (SELECT max(seq) FROM events)");
    const client = await open();
    expect(() => client.getState()).toThrow(/it ends at line/);
    await client.close();
  });
});

describe("other stored things", () => {
  it("a damaged snapshot is not used: the state is folded from the events", async () => {
    const client = await session(80);
    const before = client.getState();
    await client.close();
    edit("UPDATE snapshots SET state = replace(state, '\"stepCount\":1', '\"stepCount\":7')");
    const again = await open();
    expect(again.getState()).toEqual(before);
    await again.close();
  });

  it("damaged memory is refused by name", async () => {
    const client = await session(0);
    await client.endSession();
    await client.close();
    edit("INSERT OR REPLACE INTO memory VALUES ('learnings', '[{}]')");
    const again = await open();
    expect(() => again.startSession()).toThrow(/memory of learnings is damaged/);
    await again.close();
  });
});
