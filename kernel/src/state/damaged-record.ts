/** A record that cannot be read, in a file that can. Imports nothing: the thread that writes the state starts with it. */
export const damagedRecord = (): Error => Object.assign(new Error("a record is damaged"), { code: "DAMAGED_RECORD" });
