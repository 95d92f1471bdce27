/** Cells of the table about a session that a person or an agent has paused. Data. */
import { workPhases } from "../state/phase.ts";
import { plainEvent, type TableCase, withState } from "./case.ts";
import { sampleStateIn, sampleTicket } from "./sample.ts";

const pause = { by: "agent", text: "which name?" } as const;

export const pauseCases: readonly TableCase[] = workPhases.flatMap((phase): readonly TableCase[] => {
  const running = sampleStateIn(phase);
  const paused = withState(running, { pause });
  return [
    { name: "is paused", state: running, event: plainEvent("SESSION_PAUSED"), next: phase },
    { name: "is not paused", state: running, event: plainEvent("SESSION_RESUMED"), next: phase },
    { name: "has refused an answer", state: running, event: plainEvent("ANSWER_REFUSED"), next: phase },
    { name: "goes on", state: paused, event: plainEvent("SESSION_RESUMED"), next: phase },
    { name: "waits while it is paused", state: paused, event: plainEvent("ADVANCE_CALLED"), next: phase },
    ...(phase === "SCOUT" || phase === "NEXT_TICKET"
      ? [
          {
            name: "takes no ticket while it is paused",
            state: withState(paused, { ready: [sampleTicket(1)] }),
            event: plainEvent("TICKET_TAKEN"),
            next: phase,
          },
        ]
      : []),
  ];
});
