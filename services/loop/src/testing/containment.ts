/** What this system can deny a child, for tests of the sandbox: a busy system must not make them pass by leaving them out. */
import { probeContainment } from "@fairlead/kernel/subprocess";

export const knownDenials = async (): Promise<Awaited<ReturnType<typeof probeContainment>>["denials"]> => {
  let found = await probeContainment();
  for (let tries = 0; found.undecided !== undefined && tries < 4; tries += 1) found = await probeContainment();
  if (found.undecided !== undefined) throw new Error(found.undecided);
  return found.denials;
};
