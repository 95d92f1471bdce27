/** How a place in an input is written, in every issue of every wire; and how texts of others are kept short. */

const longestPath = 200;
const longestKey = 80;

/** `game.npcs[0].ac`; a key that is no identifier is quoted: `game["two words"]`. */
export const pathText = (parts: Iterable<PropertyKey>): string => {
  let text = "";
  for (const part of parts) {
    if (text.length > longestPath) break;
    const key = String(part);
    if (typeof part === "number") text += `[${part}]`;
    else if (!/^[A-Za-z_$][\w$]*$/.test(key)) text += `[${JSON.stringify(clip(key, longestKey))}]`;
    else text += text === "" ? key : `.${key}`;
  }
  return clip(text, longestPath);
};

export const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1)}…`;
