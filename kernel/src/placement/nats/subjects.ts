/**
 * The names under which calls travel over NATS. A procedure's subject ends with the digest of its schemas, so that a call reaches only those who
 * offer it by the same contract, whichever versions live side by side. Pure.
 *
 * Not here: what is said over them (`envelope.ts`).
 */

interface ProcedureAddress {
  /** What all subjects of one fleet begin with. */
  readonly prefix: string;
  readonly service: string;
  /** Name within the contract. */
  readonly procedure: string;
  readonly digest: string;
}

export const callSubject = ({ prefix, service, procedure, digest }: ProcedureAddress): string =>
  `${prefix}.call.${service}.${procedure}.${digest}`;

/**
 * Of a keyed procedure at the owner of one of so many places. Their number is in it: workers and callers that count differently never meet. The owner is, too: what is
 * sent to one that was paused does not go to whoever has its place now, and the other way round.
 */
export const keyedSubject = (
  subject: string,
  { places, place }: { readonly places: number; readonly place: number },
  owner: string,
) => `${subject}.${places}.${place}.${owner}`;

/** What concerns calls that are with any worker of a service: cancellations, and questions for lost ones. */
export const controlSubject = (prefix: string, service: string): string => `${prefix}.control.${service}`;

/** Answered by one life of a process while it is connected. */
export const instanceSubject = (prefix: string, instance: string): string => `${prefix}.instance.${instance}`;

/** Of those who offer the same procedure one gets each call. */
export const queueGroup = "fairlead";
