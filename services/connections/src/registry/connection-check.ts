/** What `fairlead doctor` says of a connection that is not up: the step that failed, or the one that takes its time. Pure. */
import type { SelfCheck } from "@fairlead/kernel/service";
import { type Connection, connectionState } from "../machine/connection.ts";
import type { ConnectStep } from "../machine/fault.ts";

/** The latest attempt to connect. */
interface Attempt {
  readonly step: ConnectStep;
  readonly since: number;
  readonly limitMs: number;
}

/** Nothing of one that is up, or has not failed yet and installs nothing. */
export const connectionCheck = (connection: Connection, latest: Attempt | undefined): readonly SelfCheck[] => {
  const { name: id, phase, fault, attempts } = connection;
  const name = `upstream ${id}`;
  if (phase.tag === "connected") return [];
  if (fault !== undefined) {
    const step = fault.step === undefined ? "" : ` in step \`${fault.step}\``;
    const detail = `${connectionState(connection)}, attempt ${attempts}: failed${step}: ${fault.message}`;
    return [{ name, ok: false, detail, fix: fault.hint ?? `run \`fairlead conn status ${id}\` for more` }];
  }
  if (phase.tag !== "opening" || latest?.step !== "install") return [];
  const since = new Date(latest.since).toISOString();
  return [{ name, ok: true, detail: `is being installed since ${since}, at most ${latest.limitMs} ms` }];
};
