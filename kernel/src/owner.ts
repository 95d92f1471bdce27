/**
 * Who owns a state folder: for the command line, which has to know before it loads a kernel, or instead of loading one. Imports nothing but
 * Node's own modules.
 */
export { version } from "./call/version.ts";
export {
  configurationDigest,
  decide,
  judgeOwner,
  mismatches,
  type OwnerEvidence,
  type OwnerMismatch,
  type OwnerState,
  type OwnerTerms,
  sourceDigest,
} from "./owner/decide.ts";
export type { RepeatableTools } from "./owner/hello.ts";
export { claimLock, type OwnerLock, readLatestOwner } from "./owner/lock.ts";
export {
  defaultStateDir,
  makeFolder,
  ownerFolder,
  projectStateFolder,
  type SocketPlace,
  socketPlaces,
} from "./owner/places.ts";
export { examineProcess, isPidUsed, ownIdentity } from "./owner/process-identity.ts";
export { type OwnerCommand, type OwnerRecord, recordSchema } from "./owner/record.ts";

/** How a stdio server attaches to an owner. */
export const attachProtocol = (): Promise<typeof import("./owner/hello.ts")> => import("./owner/hello.ts");
