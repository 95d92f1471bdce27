/**
 * The files at the kernel's borders, each with its reason: where it meets sockets, processes and libraries that know no Effect. Only they
 * may make a promise, a timer or a signal by hand, or be written as async functions.
 */
export const borders: Readonly<Record<string, string>> = {};

/** Files that may run an Effect themselves or use its unsafe parts, each with its reason. */
export const runners: Readonly<Record<string, string>> = {};
