/** Names of procedures made of what others call theirs. Pure. */

const longestName = 38;

/** Letters and digits, beginning with a small letter; `first` stands before what begins with a digit. */
export const camelCase = (text: string, first: string): string => {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const joined = words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join("");
  const name = joined.slice(0, 1).toLowerCase() + joined.slice(1, longestName);
  return /^[a-z]/.test(name) ? name : `${first}${name}`.slice(0, longestName);
};
