/** Why a program was not attached, by the reasons that the contract declares. */

type AttachReason =
  | "not_owner"
  | "no_process"
  | "not_node"
  | "port_taken"
  | "not_opened"
  | "not_closed"
  | "not_attached"
  | "not_allowed"
  | "too_large";

export class AttachError extends Error {
  readonly reason: AttachReason;
  readonly data: unknown;

  constructor(reason: AttachReason, message: string, data?: unknown) {
    super(message);
    this.reason = reason;
    this.data = data;
  }
}
