/** `fairlead/handler`: the services of a project as one function from a `Request` to a `Response`, for runtimes with a server of their own. */
export {
  type AnswerStore,
  type Claim,
  type Handler,
  type HandlerOptions,
  handler,
  type KeyUse,
} from "@fairlead/kernel/handler";
