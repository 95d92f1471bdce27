/**
 * A service's handlers without their contract's types: how the registry checks them and dispatch calls them.
 */
import type { Call } from "./handler.ts";

/** Handlers as dispatch calls them: the contract's types end at the registry, which has checked them. */
export type AnyHandler = (input: unknown, call: Call<never>) => unknown;

/** A contract's handlers by name. */
export const findHandler = (handlers: object, name: string): AnyHandler | undefined => {
  const handler: unknown = Object.hasOwn(handlers, name) ? (handlers as Record<string, unknown>)[name] : undefined;
  return typeof handler === "function" ? (handler as AnyHandler) : undefined;
};
