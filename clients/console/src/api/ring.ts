/** The latest values, the newest last. Pure: each addition gives a new list of at most `most`. */
export const appendLatest = <T>(list: readonly T[], added: readonly T[], most: number): readonly T[] => {
  const all = added.length >= most ? added : [...list, ...added];
  return all.length > most ? all.slice(all.length - most) : all;
};
