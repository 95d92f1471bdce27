/** What imported services import of the kernel: `@fairlead/kernel/forward`, procedures that are operations of an HTTP API. */
import "./call/version.ts";

export { type ForwardedParts, forwardConfig, forwardedService } from "./forward/forwarded-service.ts";
export type { ForwardedField, ForwardedOperation } from "./forward/operation.ts";
