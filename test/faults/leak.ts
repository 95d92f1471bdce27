/** Many clients at once, each sending what no other sends: none ever reads another's. A count of clients and rounds for each tier. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ask, type Caller, ways } from "./canaries.ts";
import { complaints, openProject, type Project, startTarget, type Target } from "./project.ts";

/** The same on every run, and different for every call. */
const askOf = (client: number, round: number, streams: boolean): Ask => {
  const mixed = (client * 7_919 + round * 104_729) % 21;
  // Streams are capped, so few clients follow, and only at times.
  const follows = streams && client < 20 && round % 5 === 4;
  return {
    procedure: follows ? "follow" : round % 3 === 2 ? "refuse" : "echo",
    canary: `canary-${client}-${round}-end`,
    turns: mixed,
  };
};

const canariesIn = (text: string): readonly string[] => [...new Set(text.match(/canary-\d+-\d+-end/g) ?? [])];

export interface Crowd {
  readonly name: string;
  readonly clients: number;
  readonly rounds: number;
}

/** The tests of one crowd of clients, on a kernel of its own. */
export const testLeaks = ({ name, clients, rounds }: Crowd) =>
  describe(name, () => {
    let project: Project;
    let target: Target;
    beforeAll(async () => {
      project = await openProject();
      target = await startTarget(project);
    });
    afterAll(async () => {
      await target.remove();
      await project.remove();
    });

    it("read their own answers and no others", async () => {
      let replies = 0;
      const client = async (index: number): Promise<void> => {
        const way = ways[index % ways.length] ?? expect.fail("no way in");
        const caller = await way.open(target.url);
        for (let round = 0; round < rounds; round += 1) {
          const ask = askOf(index, round, way.streams);
          const text = await answered(caller, ask);
          expect(canariesIn(text), `${way.name}: ${text.slice(0, 500)}`).toEqual([ask.canary]);
          replies += 1;
        }
      };
      await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
      expect(replies).toBe(clients * rounds);
    });

    it("left nothing behind in the log but their calls", async () => {
      const ended = await target.terminate();
      expect(complaints(ended)).toEqual([]);
      expect(canariesIn(ended.err)).toEqual([]);
    });
  });

/** Asks again while a busy kernel sheds load, be it the server or the procedure's queue. */
const answered = async (caller: Caller, ask: Ask): Promise<string> => {
  for (;;) {
    const text = await caller.ask(ask);
    if (!text.includes(" is overloaded")) return text;
  }
};
