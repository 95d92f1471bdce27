/** `fairlead token rotate`: gives a caller a new token; the old one works on for a while, so that no caller is locked out. */
import type { CommandModule } from "../command/command.ts";
import { text } from "../command/context.ts";
import { parseDuration } from "../command/duration.ts";
import { createSecret, openTokenStore, secretNotice, timeAfter, tokenNotFound } from "../token/token-store.ts";

const tokenRotate: CommandModule = {
  kernel: "none",
  define: (command) => {
    command
      .argument("<name>", "The caller")
      .option("--keep <duration>", "How long the token before it still works (default: 1h)")
      .option("--expires <duration>", "When the new one stops working, like 30d (default: as the one before)")
      .addHelpText(
        "after",
        "\nExamples:\n  fairlead token rotate ci --expires 30d\n  fairlead token rotate ci --keep 0s    # the old one has leaked\n",
      );
  },

  run: async (context, { args: [name = ""], flags }) => {
    const keep = parseDuration("--keep", text(flags.keep) ?? "1h");
    const life = text(flags.expires);
    const expires = life === undefined ? undefined : timeAfter(parseDuration("--expires", life));
    const store = await openTokenStore(context);
    const { replaced } = await import("@fairlead/kernel");
    const { secret, sha256 } = await createSecret();
    const { after: tokens } = store.change({
      change: "rotate",
      name,
      token: sha256,
      apply: (before) => {
        const next = replaced(before, name, { sha256, expires, until: Date.now() + keep });
        if (next === undefined) throw tokenNotFound(name, before);
        return next;
      },
    });
    const made = tokens.findLast((token) => token.name === name);
    context.print({ name, token: secret, expires: made?.expires ?? null, oldUntil: timeAfter(keep) }, () => secret);
    context.say(secretNotice);
    return 0;
  },
};

export default tokenRotate;
