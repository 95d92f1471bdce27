/** `fairlead token log`: who changed the tokens, what and when. */
import type { CommandModule } from "../command/command.ts";
import { table } from "../terminal/table.ts";
import { openTokenStore } from "../token/token-store.ts";

const tokenLog: CommandModule = {
  kernel: "none",
  define: (command) => {
    command.addHelpText("after", "\nExamples:\n  fairlead token log\n  fairlead token log --json\n");
  },

  run: async (context) => {
    const store = await openTokenStore(context);
    // The last line of a change says how it ended.
    const changes = [...new Map(store.audit().map((entry) => [entry.id, entry])).values()];
    const shown = changes.map(({ at, user, pid, change, name, token, state }) => ({
      at,
      user,
      pid,
      change,
      name,
      sha256: token?.slice(0, 12) ?? null,
      state,
    }));
    context.print({ changes: shown }, () =>
      shown.length === 0
        ? `no changes of ${store.path} are recorded`
        : table([
            ["WHEN", "USER", "CHANGE", "NAME", "STATE"],
            ...shown.map(({ at, user, change, name, state }) => [at, user, change, name, state]),
          ]),
    );
    return 0;
  },
};

export default tokenLog;
