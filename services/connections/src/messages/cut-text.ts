/** A text of an upstream in at most so many characters, cleaned, that says how many it was cut from. Pure. */
import { cleanText } from "@fairlead/contracts";

/** Characters that the note may take. */
const noteRoom = 40;

/** `longest`: characters, the note included; more than 60. */
export const cutText = (text: string, longest: number): string => {
  const clean = cleanText(text, Number.MAX_SAFE_INTEGER);
  if (clean.length <= longest) return clean;
  return `${cleanText(clean, longest - noteRoom)} (cut: ${clean.length} characters)`;
};
