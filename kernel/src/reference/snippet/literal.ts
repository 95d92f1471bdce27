/** JSON values as literals of a programming language. Pure. */

/** What differs from JSON. */
export interface LiteralStyle {
  readonly null: string;
  readonly true: string;
  readonly false: string;
  readonly key: (name: string) => string;
  /** What is inside of the braces of an object in one line, at each end. */
  readonly padding: string;
}

const longestLine = 90;

/** In one line where it fits, else one line each member, with `margin` before the lines after the first. */
export const printLiteral = (value: unknown, style: LiteralStyle, margin = ""): string => {
  const members = listMembers(value, style);
  if (members === undefined) return printScalar(value, style);
  const { open, close, list } = members;
  const padding = open === "{" && list.length > 0 ? style.padding : "";
  const short = `${open}${padding}${list.map((each) => each("")).join(", ")}${padding}${close}`;
  if (list.length === 0 || (margin.length + short.length <= longestLine && !short.includes("\n"))) return short;
  const deeper = `${margin}  `;
  return `${open}\n${list.map((each) => `${deeper}${each(deeper)},\n`).join("")}${margin}${close}`;
};

interface Members {
  readonly open: string;
  readonly close: string;
  readonly list: readonly ((margin: string) => string)[];
}

const listMembers = (value: unknown, style: LiteralStyle): Members | undefined => {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value))
    return { open: "[", close: "]", list: value.map((item) => (margin) => printLiteral(item, style, margin)) };
  const list = Object.entries(value).map(
    ([name, member]) =>
      (margin: string) =>
        `${style.key(name)}: ${printLiteral(member, style, margin)}`,
  );
  return { open: "{", close: "}", list };
};

const printScalar = (value: unknown, style: LiteralStyle): string => {
  if (value === null || value === undefined) return style.null;
  if (typeof value === "boolean") return value ? style.true : style.false;
  return JSON.stringify(value);
};
