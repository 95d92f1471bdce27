/** The refusal of an address at which there is no resource. */
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** Without the address: a refusal repeats nothing of its request. */
export const nothingThere = (words = "resource not found"): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, words);
