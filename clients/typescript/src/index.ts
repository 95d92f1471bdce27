/** `@fairlead/client`: what generated clients and their users import. */
export {
  type Call,
  type Client,
  type ClientOptions,
  type Clock,
  createClient,
  type DownloadCall,
  type PaginatedCall,
  type RunnableCall,
  type Subscribe,
  type UploadCall,
} from "./client.ts";
export type {
  DescriptorFor as DescriptorOf,
  Kind,
  ProcedureDescriptor,
  ProcedureTypes,
  QueryType,
  RetrySafety,
  ServiceDescriptor,
  ServiceTypes,
} from "./descriptor.ts";
export {
  ClientError,
  type Code,
  type DeclaresErrors,
  type Issue,
  isReason,
  type ReasonError,
  type WireError,
} from "./error.ts";
export { type FetchTransportOptions, fetchTransport } from "./fetch.ts";
export { type MemoryKernel, type MemoryOptions, memoryTransport } from "./memory.ts";
export type { CallOptions, DownloadOptions, SubscribeOptions } from "./options.ts";
export type { RetryOptions } from "./retry.ts";
export type { HandleOptions, PendingQuestion, RunHandle, RunPhase, RunSnapshot, StartOptions } from "./run.ts";
export type {
  Attempt,
  DownloadedFile,
  FileRange,
  Progress,
  StreamItem,
  Transport,
  UploadFile,
  UploadStream,
} from "./transport.ts";
