/** `fairlead top`: a running kernel on one screen, kept current; one look at it where there is no terminal. */
import type { CommandModule } from "../command/command.ts";
import { withRunningKernel } from "../kernel/kernel-client.ts";
import { showLive } from "../terminal/live-view.ts";
import { eventLine, shownTypes } from "../top/event-line.ts";
import { cachedFigures, readFigures } from "../top/figures.ts";
import { drawTop } from "../top/screen.ts";

/** What a screen without a terminal has room for. */
const page = { columns: 200, rows: 1_000 };

const top: CommandModule = {
  define: (command) => {
    command.addHelpText(
      "after",
      "\nServices with their state, calls and failures; the busiest procedures; what just happened. Ctrl C ends it.\nWith --json, without a terminal or with FAIRLEAD_NO_TUI=1: how it is now, once.\n\nExamples:\n  fairlead top\n  fairlead top --url http://127.0.0.1:5099\n  fairlead top --json\n",
    );
  },

  run: (context) =>
    withRunningKernel(context, async (client) => {
      const { io } = context;
      if (context.json || !io.tty.out || (io.env.FAIRLEAD_NO_TUI ?? "") !== "") {
        const figures = await readFigures(client);
        context.print({ ...figures }, () => drawTop(figures, page, Date.now()));
        return 0;
      }
      const figures = cachedFigures(client, () => performance.now());
      const events = client.events({ types: shownTypes, last: 200 }, { signal: io.signal });
      const lines = async function* (): AsyncGenerator<string> {
        for await (const event of events) {
          const line = eventLine(event);
          if (line !== undefined) yield line;
        }
      };
      const draw = async (): Promise<string> => drawTop(await figures(), io.tty.size(), Date.now());
      try {
        await showLive(io, { draw, events: lines(), isFullScreen: true });
      } catch (error) {
        if (!io.signal.aborted) throw error;
      }
      return 0;
    }),
};

export default top;
