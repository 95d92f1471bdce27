/**
 * One case of the table of supervision: what the trusted ones do, what we do, and the proof. The lists beside this file hold them, one
 * for each item of what is promised; `supervision.test.ts` runs them all.
 */
export interface SupervisionCase {
  /** What happens. */
  readonly name: string;
  /** What OTP's supervisor, gRPC or resilience4j does then. */
  readonly trusted: string;
  /** What we do. */
  readonly ours: string;
  /** Throws when we do not. */
  readonly check: () => Promise<void>;
}
