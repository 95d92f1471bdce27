/** The calls that were made in this browser, the newest first; kept in it alone, without their answers. */
import { useSyncExternalStore } from "react";

interface PastCall {
  readonly procedure: string;
  readonly input: unknown;
  /** `ok` or the code of the error. */
  readonly outcome: string;
  readonly milliseconds: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

const key = "fairlead-history";
const most = 50;
/** A larger input is not kept. */
const mostCharacters = 20_000;

const read = (): readonly PastCall[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
};

let history = read();
const listeners = new Set<() => void>();

export const remember = (call: PastCall): void => {
  const text = JSON.stringify(call.input);
  history = [text.length > mostCharacters ? { ...call, input: {} } : call, ...history].slice(0, most);
  localStorage.setItem(key, JSON.stringify(history));
  for (const listener of listeners) listener();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useHistory = (): readonly PastCall[] => useSyncExternalStore(subscribe, () => history);
