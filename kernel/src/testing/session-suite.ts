/** What holds for sessions wherever they are kept: in a file, in memory, in PostgreSQL. */
import { expect, it } from "vitest";
import { StaleSession } from "../service/errors.ts";
import type { Sessions } from "../service/sessions.ts";

interface OpenSessions {
  readonly sessions: Sessions;
  readonly close: () => void | Promise<void>;
}

export const testSessions = (open: () => OpenSessions | Promise<OpenSessions>): void => {
  const using = (work: (sessions: Sessions) => Promise<void>) => async () => {
    const { sessions, close } = await open();
    await work(sessions);
    await close();
  };
  const stale = (because: string) => expect.objectContaining({ because, code: "aborted", retryable: true });

  it(
    "gives the state that was saved last, by its key",
    using(async (sessions) => {
      expect(await sessions.load("a")).toBeUndefined();
      const first = await sessions.save("a", { hits: [1, 2], name: "Ä\n" }, undefined);
      expect(first).toMatchObject({ version: 1, value: { hits: [1, 2], name: "Ä\n" } });
      expect(await sessions.save("a", null, first)).toMatchObject({ version: 2, value: null });
      await sessions.save("b", "other", undefined);
      expect(await sessions.load("a")).toMatchObject({ version: 2, value: null });
      expect(await sessions.load("b")).toMatchObject({ version: 1, value: "other" });
    }),
  );

  it(
    "saves nothing after a state that is not the last any more",
    using(async (sessions) => {
      const first = await sessions.save("twice", 1, undefined);
      await expect(sessions.save("twice", 9, undefined)).rejects.toEqual(stale("version"));
      await sessions.save("twice", 2, first);
      await expect(sessions.save("twice", 9, first)).rejects.toBeInstanceOf(StaleSession);
      await expect(sessions.remove("twice", first)).rejects.toEqual(stale("version"));
      expect(await sessions.load("twice")).toMatchObject({ value: 2, version: 2 });
    }),
  );

  it(
    "saves one of two at once",
    using(async (sessions) => {
      const first = await sessions.save("race", 0, undefined);
      const saves = await Promise.allSettled([1, 2, 3, 4].map((value) => sessions.save("race", value, first)));
      expect(saves.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await sessions.load("race")).toMatchObject({ version: 2 });
    }),
  );

  it(
    "forgets a session, once",
    using(async (sessions) => {
      const first = await sessions.save("gone", 1, undefined);
      await sessions.remove("gone", first);
      await sessions.remove("gone", first);
      expect(await sessions.load("gone")).toBeUndefined();
      await expect(sessions.save("gone", 2, first)).rejects.toEqual(stale("version"));
      expect(await sessions.save("gone", 3, undefined)).toMatchObject({ version: 1 });
    }),
  );

  it(
    "refuses what JSON has no form for",
    using(async (sessions) => {
      await expect(sessions.save("none", undefined, undefined)).rejects.toThrow(TypeError);
      expect(await sessions.load("none")).toBeUndefined();
    }),
  );
};
