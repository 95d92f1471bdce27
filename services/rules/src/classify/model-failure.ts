/** Why a model gave no reply: one that a retry may fix, or one that it will not. */

export type ModelFault =
  | {
      readonly kind: "unavailable";
      /** HTTP status of the last try; 0 when there was none. */
      readonly status: number;
      readonly attempts: number;
      readonly retryAfterMs?: number;
      readonly message: string;
    }
  | {
      readonly kind: "rejected";
      readonly status: number;
      readonly type: string;
      readonly requestId: string;
      readonly message: string;
    };

export class ModelFailure extends Error {
  override readonly name = "ModelFailure";
  readonly fault: ModelFault;

  constructor(fault: ModelFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** What people can do about a request that is refused. */
export const suggestFix = (status: number): string => {
  switch (status) {
    case 401:
    case 403:
      return "check ANTHROPIC_API_KEY and what it may use";
    case 402:
      return "check the account's billing";
    case 404:
      return "check services.rules.classifier.model, and ANTHROPIC_BASE_URL if it is set";
    case 413:
      return "send fewer creatures, features and belongings in the game";
    default:
      return "read the message; a very large scene can make the tools' schemas too large";
  }
};
