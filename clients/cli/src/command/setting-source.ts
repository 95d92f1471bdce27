/** What a flag names, or else a variable of the environment, and which of them it was: an error about it has to say so. Pure. */

export interface SettingSource {
  readonly value: string;
  /** The flag or the variable that gave it. */
  readonly by: string;
}

/** `undefined` where neither is given; an empty variable is none. */
export const findSetting = (
  flag: string,
  given: string | undefined,
  [variable, value]: readonly [string, string | undefined],
): SettingSource | undefined => {
  if (given !== undefined) return { value: given, by: flag };
  return value === undefined || value === "" ? undefined : { value, by: variable };
};
