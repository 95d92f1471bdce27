/**
 * Who owns a state folder: for the command line, which has to know before it loads a kernel, or instead of loading one. Imports nothing but
 * Node's own modules.
 */
export {
  decide,
  judgeOwner,
  mismatches,
  type OwnerDecision,
  type OwnerEvidence,
  type OwnerMismatch,
  type OwnerState,
  type OwnerTerms,
} from "./owner/decide.ts";
export { claimLock, type LatestOwner, type OwnerLock, ownerFolder, readLatestOwner } from "./owner/lock.ts";
export { examineProcess, isPidUsed, ownIdentity } from "./owner/process-identity.ts";
export { type OwnerCommand, type OwnerRecord, recordSchema } from "./owner/record.ts";
export { type SocketPlace, socketPlaces } from "./owner/socket-path.ts";
export { configurationDigest, projectStateFolder } from "./owner/terms.ts";
