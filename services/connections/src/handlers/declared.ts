/** What is written down, read again: what would change, and doing it. */
import type { DeclarationPlan } from "../declared/declarations.ts";
import type { HandlerFactory } from "./context.ts";

const planView = ({ changes, problems }: DeclarationPlan) => ({
  changes: changes.map((change) => ({ ...change, fields: [...change.fields] })),
  problems: [...problems],
});

export const plan: HandlerFactory<"plan"> =
  ({ declarations }) =>
  async () =>
    planView(await declarations.plan());

export const applyPlan: HandlerFactory<"applyPlan"> =
  ({ declarations }) =>
  async () =>
    planView(await declarations.apply());
