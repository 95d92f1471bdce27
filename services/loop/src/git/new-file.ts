/** The patch of a file that git does not know yet, written without touching git's index. Pure. */

/** A patch that creates the file. Binary content is named, not shown. */
export const newFilePatch = (path: string, content: string | null): string => {
  const name = /["\\\p{Cc}]/u.test(path) ? JSON.stringify(`b/${path}`) : `b/${path}`;
  const head = `diff --git a/${path} ${name}\nnew file mode 100644\n`;
  if (content === null || content.includes("\0")) return `${head}Binary files /dev/null and ${name} differ\n`;
  if (content === "") return head;
  const lines = splitLines(content);
  const end = content.endsWith("\n") ? "" : "\n\\ No newline at end of file";
  return `${head}--- /dev/null\n+++ ${name}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}`).join("\n")}${end}\n`;
};

/** Lines, without the empty one after a last line feed. */
export const splitLines = (content: string): readonly string[] =>
  content === "" ? [] : (content.endsWith("\n") ? content.slice(0, -1) : content).split("\n");
