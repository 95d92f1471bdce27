/** The console's colours as a canvas takes them, for the scheme that is shown now. */
const names = ["page", "card", "line", "text", "soft", "accent", "warn", "bad", "good", "key"] as const;

export type Colours = Readonly<Record<(typeof names)[number], string>>;

export const readColours = (): Colours => {
  const probe = document.createElement("span");
  document.body.append(probe);
  try {
    const read = (name: string): string => {
      probe.style.color = `var(--color-${name})`;
      return getComputedStyle(probe).color;
    };
    return Object.fromEntries(names.map((name) => [name, read(name)])) as Colours;
  } finally {
    probe.remove();
  }
};

/** Calls when light becomes dark or the other way around. */
export const onScheme = (changed: () => void): (() => void) => {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = new MutationObserver(changed);
  system.addEventListener("change", changed);
  chosen.observe(document.documentElement, { attributes: true, attributeFilter: ["data-scheme"] });
  return () => {
    system.removeEventListener("change", changed);
    chosen.disconnect();
  };
};
