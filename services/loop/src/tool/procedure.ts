/** The decoded input and the output of each procedure of the contract, by its name. */
import type { HandlerInput, HandlerOutput } from "@fairlead/contracts";
import type { loop } from "@fairlead/contracts/loop";

type Procedures = typeof loop.procedures;

export type ToolInput<N extends keyof Procedures> = HandlerInput<Procedures[N]>;
export type ToolOutput<N extends keyof Procedures> = HandlerOutput<Procedures[N]>;
