/** A number with its noun, for messages: `1 ticket`, `2 tickets`. */
export const quantity = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
