/** The decoded input and the output of each procedure of the contract, by its name. */
import type { HandlerInput, HandlerOutput } from "@fairlead/contracts";
import type { loop } from "@fairlead/contracts/loop";

type LoopProcedures = typeof loop.procedures;

export type ToolInput<N extends keyof LoopProcedures> = HandlerInput<LoopProcedures[N]>;
export type ToolOutput<N extends keyof LoopProcedures> = HandlerOutput<LoopProcedures[N]>;
