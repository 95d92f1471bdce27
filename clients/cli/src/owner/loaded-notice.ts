/** After a change of a project's contracts or services: that its kernel, where one runs, has loaded them as they were. */
import type { Context } from "../command/context.ts";
import { findOwner, statePlace } from "./place.ts";
import { ownerName } from "./words.ts";

/** Says nothing where no kernel runs, or one that follows its files. */
export const sayIfLoaded = async (context: Context): Promise<void> => {
  const found = await findOwner((await statePlace(context)).folder);
  const command = found.record?.command;
  if (found.state !== "open" || command === undefined || command === "dev" || command === "call") return;
  const again = command === "up" ? "`fairlead stop`, then `fairlead up`" : "end the MCP client that started it";
  context.say(
    `${ownerName(found)} runs what it loaded before. To run this: ${again}; \`fairlead dev\` follows changes by itself`,
  );
};
