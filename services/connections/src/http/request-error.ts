/** A request that got no answer, or only a part of one. */
export class RequestError extends Error {
  override readonly name = "RequestError";
  /** The system's, or `EADDRESS` for an address that is not connected to. */
  readonly code: string;
  /** The request, or a part of it, may have reached the other side. */
  readonly sent: boolean;

  constructor(code: string, message: string, sent: boolean) {
    super(message);
    this.code = code;
    this.sent = sent;
  }
}

export const codedError = (code: string, message: string): Error => Object.assign(new Error(message), { code });

export const errorCode = (error: Error): string =>
  "code" in error && typeof error.code === "string" ? error.code : "";
