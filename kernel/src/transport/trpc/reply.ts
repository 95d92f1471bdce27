/**
 * Writing what tRPC's own protocol code answers: its web `Response` to the socket, with backpressure, and refusals in its envelope.
 */
import type { ServerResponse } from "node:http";
import type { WireError } from "@fairlead/contracts";
import { sendRefusal } from "../../server/problem.ts";
import { writeWebResponse } from "../../server/response/web-response.ts";
import { type ShapeOptions, trpcRefusal } from "./error.ts";

/** Writes tRPC's answer and resolves when it has ended; a stream is cancelled when the client hangs up or the signal fires. */
export const writeAnswer = (web: Response, response: ServerResponse, signal: AbortSignal): Promise<void> => {
  for (const [name, value] of web.headers) {
    if (name === "vary") response.appendHeader(name, value);
    else if (name !== "transfer-encoding" && name !== "connection") response.setHeader(name, value);
  }
  if (!web.headers.has("cache-control")) response.setHeader("cache-control", "no-store");
  response.setHeader("x-content-type-options", "nosniff");
  return writeWebResponse(web, response, { signal });
};

/** Ends the response with the refusal of a whole request, in tRPC's envelope. */
export const sendTrpcError = (
  response: ServerResponse,
  error: WireError,
  { allow, ...shape }: TrpcRefusal = {},
): void => {
  const { url = "", headers } = response.req;
  sendRefusal(response, error, {
    ...trpcRefusal(error, { url, accept: headers.accept }, shape),
    ...(allow !== undefined && { headers: { allow } }),
  });
};

interface TrpcRefusal extends ShapeOptions {
  /** The methods that a 405 offers instead. */
  readonly allow?: string;
}
