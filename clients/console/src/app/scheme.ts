/** Light or dark: as the system says, until the user chooses. Kept in this browser alone. */
const key = "fairlead-scheme";

type Scheme = "system" | "light" | "dark";

const readScheme = (): Scheme => {
  const kept = localStorage.getItem(key);
  return kept === "light" || kept === "dark" ? kept : "system";
};

export const applyScheme = (scheme: Scheme = readScheme()): void => {
  const { dataset } = document.documentElement;
  if (scheme === "system") delete dataset.scheme;
  else dataset.scheme = scheme;
  localStorage.setItem(key, scheme);
};

/** The other one than what is shown now. */
export const toggleScheme = (): void => {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const current = readScheme();
  const shown = current === "system" ? (isDark ? "dark" : "light") : current;
  applyScheme(shown === "dark" ? "light" : "dark");
};
