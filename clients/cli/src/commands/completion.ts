/** `fairlead completion`: the script that lets a shell complete commands, procedures and flags; and, for that script, what can follow. */
import type { CommandModule, CommandRow } from "../command/command.ts";
import { UsageError } from "../command/failure.ts";
import { shells } from "../completion/scripts.ts";

/** `commands`: those of its own. */
export const completionCommand = (commands: readonly CommandRow[]): CommandModule => ({
  kernel: "none",
  usageHint: "run `fairlead completion bash`, `zsh` or `fish`",
  define: (command) => {
    command
      .argument("<shell>", "bash, zsh or fish")
      .argument("[words...]", "For the script: the words so far, after --")
      .addHelpText(
        "after",
        `
Put its output where your shell reads it:
  bash  echo 'source <(fairlead completion bash)' >> ~/.bashrc
  zsh   echo 'source <(fairlead completion zsh)' >> ~/.zshrc, after compinit
  fish  fairlead completion fish > ~/.config/fish/completions/fairlead.fish
`,
      );
  },

  run: async (context, { args: [name = "", ...words] }) => {
    const shell = Object.hasOwn(shells, name) ? shells[name] : undefined;
    if (shell === undefined)
      throw new UsageError(
        `there is no completion for ${JSON.stringify(name)}`,
        `use one of ${Object.keys(shells).join(", ")}`,
      );
    if (words.length === 0) {
      context.io.out(shell.script);
      return 0;
    }
    const { completeWords } = await import("../completion/candidates.ts");
    // A shell that completes shows no errors: where nothing can be found, nothing follows.
    const found = await completeWords(words, { commands, io: context.io }).catch(() => []);
    if (found.length > 0) context.io.out(found.map(shell.line).join("\n"));
    return 0;
  },
});
