/** Splits a command line into words, with single and double quotes and no expansion of any kind. `undefined` where a quotation mark is not closed. */
export const splitWords = (text: string): readonly string[] | undefined => {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (const character of text) {
    if (quote !== "") {
      if (character === quote) quote = "";
      else word = (word ?? "") + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== "") return undefined;
  if (word !== undefined) words.push(word);
  return words;
};
