/** What was wrong with an attempt to connect, as it may be shown: with its step, and without values of variables. Pure. */
import { type ConnectionFault, type ConnectStep, classify, type Observation } from "../machine/fault.ts";

/** @param shown makes a text of the upstream one that may be shown */
export const attemptFault = (
  seen: Observation,
  step: ConnectStep | undefined,
  shown: (text: string) => string,
): ConnectionFault => {
  const isInstalling = step === "install" && seen.what === "timeout";
  const fault = classify(isInstalling ? { ...seen, installing: true } : seen);
  return { ...fault, message: shown(fault.message), ...(step !== undefined && { step }) };
};
