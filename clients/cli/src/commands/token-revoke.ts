/** `fairlead token revoke`: ends all tokens of a caller. */
import type { CommandModule } from "../command/command.ts";
import { openTokenStore, tokenNotFound } from "../token/token-store.ts";

const tokenRevoke: CommandModule = {
  kernel: "none",
  define: (command) => {
    command.argument("<name>", "The caller").addHelpText("after", "\nExamples:\n  fairlead token revoke ci\n");
  },

  run: async (context, { args: [name = ""] }) => {
    const store = await openTokenStore(context);
    const { after: left } = store.change({
      change: "revoke",
      name,
      apply: (tokens) => {
        const others = tokens.filter((token) => token.name !== name);
        if (others.length === tokens.length) throw tokenNotFound(name, tokens);
        return others;
      },
    });
    context.print({ revoked: name }, () => `${name} is revoked; a running kernel refuses it within a second`);
    if (left.length === 0) {
      context.say(
        `that was the last token: every caller is refused until there is another; to need none again, remove ${store.path} and restart the kernel`,
      );
    }
    return 0;
  },
};

export default tokenRevoke;
