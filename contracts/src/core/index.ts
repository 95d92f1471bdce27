/** The contract language: everything a contract file may import. */

export { type Code, codeNames, codes, isCode, type RetryHelp } from "./code.ts";
export { codecs, decodeCursor, encodeCursor } from "./codecs.ts";
export {
  type CallerInput,
  type CallerOutput,
  type Contract,
  type DeclaredErrors,
  defineContract,
  type HandlerInput,
  type HandlerOutput,
  isContract,
  type ProcedureName,
} from "./contract.ts";
export { type DecodeResult, type Decoder, decoder, strictDecoder } from "./decoder.ts";
export { DefinitionError } from "./definition-check.ts";
export { didYouMean } from "./did-you-mean.ts";
export { encoder, encodingSchema } from "./encoder.ts";
export {
  type ErrorData,
  type ErrorDeclaration,
  type ErrorMap,
  error,
  FairleadError,
  type Issue,
  isWireError,
  type WireError,
} from "./error.ts";
export { type DownloadQuery, download, type UploadMutation, upload } from "./files.ts";
export { type GenConfig, genConfigSchema } from "./gen-config.ts";
export {
  httpPath,
  inputToQuery,
  type QueryParameters,
  type QueryType,
  queryParameters,
  queryToInput,
  servedMethods,
} from "./http-route.ts";
export { fieldNames } from "./issues.ts";
export {
  type Breaker,
  defaultLimits,
  defaultOutputLimits,
  type Limits,
  type OutputLimits,
  type Policy,
  type ProcedurePlacement,
  placementText,
  policyDefaults,
  type Retry,
  type RetrySafety,
  type RunPolicy,
  type RunPolicyFor,
  runDefaults,
} from "./policy.ts";
export {
  type AccessLevel,
  type Answers,
  ask,
  type ConfirmQuestion,
  confirm,
  type Deprecation,
  type DownloadRule,
  deprecated,
  deprecatedFields,
  deprecationKey,
  deprecationText,
  type Example,
  type FormQuestion,
  type Mutation,
  mutation,
  type PaginatedQuery,
  type Procedure,
  type ProcedureHints,
  type ProcedureKind,
  paginated,
  type Query,
  type QuestionDeclaration,
  type QuestionMap,
  query,
  type Rename,
  type Subscription,
  subscription,
  type ToolView,
  toolGroup,
  toolSource,
  toolSummary,
  type UploadRule,
} from "./procedure.ts";
export type { Choices, Prompt, PromptArgument } from "./prompt.ts";
export type { Resource } from "./resource.ts";
export { asZod4, type Schema, type SchemaInput, type SchemaOutput, type StandardSchema } from "./schema/schema.ts";
export { makeRedactor, type Redactor, secret, secretTexts, shortSecrets } from "./schema/secret.ts";
export { cleanText, clip, faultPlace, isClean, pathText, promptPlace } from "./text.ts";
export {
  type ImportRelay,
  type NamedVerb,
  ownCommands,
  type Verb,
  type VerbArgument,
  type VerbCondition,
  type VerbDocument,
  type VerbFailure,
  type VerbFlag,
  type VerbImport,
  type VerbInput,
  type VerbNotFound,
  type VerbPages,
  type VerbPath,
  type VerbStep,
  type VerbText,
  type VerbValueKind,
  type VerbView,
  type VerbWatch,
  verbDocumentVersion,
} from "./verb.ts";
