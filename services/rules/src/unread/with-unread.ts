/** An answer, and the names of its game that no rule read. */
import type { AttackIntent, Game, NotRead } from "@fairlead/contracts/rules";
import { findUnread } from "./find-unread.ts";

export const withUnread = <A extends object>(
  answer: A,
  game: Game | undefined,
  intent?: AttackIntent,
): A & { readonly notRead?: NotRead } => {
  const notRead = game === undefined ? undefined : findUnread(game, intent);
  return notRead === undefined ? answer : { ...answer, notRead };
};
