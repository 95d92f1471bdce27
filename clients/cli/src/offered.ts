/** What to say when a kernel does not offer something. Pure. */
import { CommandError } from "./failure.ts";
import { nearest } from "./suggest.ts";

/** `otherwise` is the advice where no known name is near. */
export const notOffered = (
  kind: "service" | "procedure",
  name: string,
  known: readonly string[],
  otherwise = "run `fairlead ls` for the list",
): CommandError => {
  const near = known.find((each) => each.endsWith(`.${name}`)) ?? nearest(name, known);
  const message = `there is no ${kind} ${JSON.stringify(name)}`;
  const hint = near === undefined ? otherwise : `did you mean ${near}?`;
  return new CommandError({ code: "not_found", exit: 6 }, { message, hint });
};
