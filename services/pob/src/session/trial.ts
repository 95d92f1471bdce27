/**
 * The doctor's trial: starts Path of Building, has it compute a build of ours, and says how long that took. In a session of its own, which
 * is stopped after it. Not here: what can be found without starting it (`doctor.ts`).
 */
import type { SelfCheck } from "@fairlead/kernel/service";
import { listTreeVersions, type PobSettings } from "../setup/settings.ts";
import type { SessionRegistry } from "./session-registry.ts";

const name = "computing";

/** Milliseconds for all of it: less than the doctor waits for a service's rows. */
const trialMs = 25_000;

/** A character at level 1 with nothing. Its numbers are the game's own beginnings. */
const buildOfOurs = (treeVersion: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<PathOfBuilding>
<Build level="1" targetVersion="3_0" className="Scion" ascendClassName="None" mainSocketGroup="1" viewMode="NOTES"/>
<Tree activeSpec="1"><Spec treeVersion="${treeVersion}" classId="0" ascendClassId="0" nodes=""/></Tree>
<Skills activeSkillSet="1"><SkillSet id="1"></SkillSet></Skills>
<Items activeItemSet="1"><ItemSet id="1"></ItemSet></Items>
<Config></Config>
</PathOfBuilding>`;

/** Never rejects: what goes wrong is the row. */
export const trialRow = async (sessions: SessionRegistry, settings: PobSettings): Promise<SelfCheck> => {
  const key = { principal: "doctor", name: "doctor" };
  const signal = AbortSignal.timeout(trialMs);
  const began = performance.now();
  const since = (from: number): string => `${Math.round(performance.now() - from)} ms`;
  try {
    return await sessions.use({ ...key, signal, deadline: Date.now() + trialMs }, async (session) => {
      await session.start({ signal });
      const started = since(began);
      const loaded = performance.now();
      await session.load({ xml: buildOfOurs(newestTree(settings)), name: "doctor", nodes: [] }, { signal });
      const { stats } = await session.read((engine) => engine.stats(["Life"]));
      if (typeof stats.Life !== "number") return failedRow("it computed no Life for a build of ours", settings);
      return { name, ok: true, detail: `started in ${started}, computed a build of ours in ${since(loaded)}` };
    });
  } catch (cause) {
    const why = signal.aborted
      ? `it was not ready within ${trialMs} ms`
      : cause instanceof Error
        ? cause.message
        : String(cause);
    return failedRow(why, settings);
  } finally {
    await sessions.stop(key).catch(() => undefined);
  }
};

const failedRow = (why: string, { cwd }: PobSettings): SelfCheck => ({
  name,
  ok: false,
  detail: why,
  fix: `look at what it prints: POB_LUA_ENABLED=true fairlead call pob.luaStart -v; the checkout is ${cwd}`,
});

const newestTree = ({ cwd }: PobSettings): string =>
  (listTreeVersions(cwd) ?? [])
    .filter((version) => /^\d+_\d+$/.test(version))
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .at(-1) ?? "3_28";
