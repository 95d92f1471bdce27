/**
 * The clock of what is kept for a time: milliseconds since the system started. It only goes forward, whatever is done to the clock on the
 * wall, and is the same for all processes; the boot id changes when it begins again.
 */
import { uptime } from "node:os";
import { systemBootId } from "../owner/process-identity.ts";

export const uptimeMs = (): number => Number(process.hrtime.bigint() / 1_000_000n);

/** Differs after a restart of the system. Where there is none, the minute of the start: a jump of the wall's clock looks like a restart. */
export const readBootId = (): string => systemBootId() ?? `started ${Math.round((Date.now() / 1_000 - uptime()) / 60)}`;
