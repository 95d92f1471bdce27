/**
 * The Path of Building service: reads builds by itself, and computes them in the user's own Path of Building.
 *
 * Here is what must be known before the first call: what is switched off, and how the processes are. Not here: the procedures
 * (`handlers.ts`).
 */
import { pob } from "@fairlead/contracts/pob";
import { type Condition, defineService, type Host, type SelfCheck } from "@fairlead/kernel/service";
import * as Effect from "effect/Effect";
import { createSessionRegistry, type SessionRegistry } from "./session/session-registry.ts";
import { doctorRows, essentialRows, findMissing, leftOutRows } from "./setup/doctor.ts";
import { type PobConfig, type PobSettings, pobConfig, readSettings } from "./setup/settings.ts";

const code = () => import("./procedures/handlers.ts");

const luaProcedures = Object.keys(pob.procedures).filter((name) => name.startsWith("lua"));

const readCondition = (sessions: SessionRegistry, settings: PobSettings): Condition => {
  const mistaken = variableCondition(settings);
  if (!settings.enabled) return mistaken;
  for (const session of sessions.list()) {
    const { state } = session.status();
    if (state.tag !== "Failed") continue;
    return { state: "degraded", why: state.error.message, fix: `${state.error.hint ?? "see its log"}; then lua_start` };
  }
  if (mistaken.state === "degraded") return mistaken;
  const missing = essentialRows(settings).find(({ ok }) => !ok);
  return missing === undefined
    ? { state: "ready" }
    : { state: "degraded", why: missing.detail, fix: missing.fix ?? "see the guide" };
};

const variableCondition = ({ mistakes: [first] }: PobSettings): Condition =>
  first === undefined ? { state: "ready" } : { state: "degraded", why: first.why, fix: first.fix };

const turnOn = "set POB_LUA_ENABLED=true to use Path of Building";

/** Why `auto` has left Path of Building out. */
const explainMissing = ({ detail, fix }: SelfCheck): string =>
  `POB_LUA_ENABLED is auto, and ${detail}${fix === undefined ? "" : `; ${fix}`}; then start again`;

const start = (host: Host<PobConfig>) =>
  Effect.gen(function* () {
    const configured = readSettings(host);
    const missing = configured.enabled === "auto" ? yield* Effect.promise(() => findMissing(configured)) : undefined;
    const settings = { ...configured, enabled: configured.enabled !== false && missing === undefined };
    const sessions = yield* createSessionRegistry(settings, host);
    const mistaken = settings.mistakes.find(({ variable }) => variable === "POB_LUA_ENABLED");
    const why = missing === undefined ? (mistaken?.why ?? turnOn) : explainMissing(missing);
    const switchedOff = Object.fromEntries(luaProcedures.map((name) => [name, why]));
    return {
      handlers: async () => (await code()).createHandlers({ sessions, settings }),
      off: () => (settings.enabled ? {} : switchedOff),
      condition: () => readCondition(sessions, settings),
      children: () => sessions.list().map((session) => session.status()),
      info: () => ({
        engine: settings.kind,
        path: settings.cwd,
        command: [settings.command, ...settings.args].join(" "),
        sessions: sessions.list().map(({ process, status }) => ({
          name: process.name,
          state: status().state.tag,
          pid: process.pid() ?? null,
          about: process.info() ?? null,
          diagnostics: process.diagnostics() ?? null,
        })),
      }),
      checks: async () => {
        if (missing !== undefined) return leftOutRows(settings, explainMissing(missing));
        const rows = await doctorRows(settings);
        // In a kernel that stays, no process is there before somebody computes.
        if (host.stays || !settings.enabled || rows.some(({ ok }) => !ok)) return rows;
        return [...rows, await (await import("./session/trial.ts")).trialRow(sessions, settings)];
      },
    };
  });

export default defineService(pob, start, { config: pobConfig, code });
