/** Breaks a line for people at its spaces. Pure. */

const width = 100;

/** At most 100 columns a line, each after the first indented by so many spaces; a word that is longer stays whole. */
export const wrap = (text: string, indent: number): string => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.trim().split(/\s+/)) {
    const next = line === "" ? word : `${line} ${word}`;
    if (line === "" || next.length + indent <= width) line = next;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line].join(`\n${" ".repeat(indent)}`);
};
