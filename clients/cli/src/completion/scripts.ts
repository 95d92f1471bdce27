/** What a shell runs to complete words of the command: it asks the command itself, so that new services are known at once. Texts only. */
import type { Candidate } from "./candidates.ts";

interface Shell {
  /** To be evaluated by the shell. */
  readonly script: string;
  /** A candidate on a line of its own, as the script reads it. */
  readonly line: (candidate: Candidate) => string;
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ");

export const shells: Readonly<Record<string, Shell>> = {
  bash: {
    script: `_fairlead() {
  local IFS=$'\\n'
  COMPREPLY=($("\${COMP_WORDS[0]}" completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _fairlead fairlead`,
    line: ({ word }) => word,
  },
  zsh: {
    script: `#compdef fairlead
_fairlead() {
  local -a found
  found=("\${(@f)$("\${words[1]}" completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then _describe fairlead found; else _files; fi
}
compdef _fairlead fairlead`,
    line: ({ word, about }) => `${word.replaceAll(":", "\\:")}${about === "" ? "" : `:${oneLine(about)}`}`,
  },
  fish: {
    script: `function __fairlead
  set -l typed (commandline -opc)
  $typed[1] completion fish -- $typed[2..-1] (commandline -ct | string collect --allow-empty) 2>/dev/null
end
complete -c fairlead -a '(__fairlead)'`,
    line: ({ word, about }) => (about === "" ? word : `${word}\t${oneLine(about)}`),
  },
};
