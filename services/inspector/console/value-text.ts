/** Values and types in a short form. Pure. */

/** A value in one line, cut. */
export const shortText = (value: unknown, most: number): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
};

/** Without its namespaces: `List<Entity>`, `Life`. */
export const typeName = (type: string): string => type.replaceAll(/(?:[A-Za-z_]\w*\.)+(?=[A-Za-z_])/g, "");

/** Bytes of a struct's offset, which is written in hexadecimal. */
export const parseOffset = (text: string): number =>
  /^0x[0-9a-f]+$/i.test(text) ? Number.parseInt(text, 16) : Number.NaN;
