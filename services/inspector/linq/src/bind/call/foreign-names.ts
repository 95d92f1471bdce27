/** What sequence methods are called elsewhere, in lower case, and here. */
const names: Readonly<Record<string, string>> = {
  every: "All",
  filter: "Where",
  find: "First",
  fold: "Aggregate",
  flatmap: "SelectMany",
  includes: "Contains",
  len: "Count",
  map: "Select",
  reduce: "Aggregate",
  size: "Count",
  slice: "Skip",
  some: "Any",
  sort: "OrderBy",
  unique: "Distinct",
};

export const foreignName = (name: string): string | undefined => {
  const lower = name.toLowerCase();
  return Object.hasOwn(names, lower) ? `it is called '${names[lower]}' here` : undefined;
};
