/** Calls that a person keeps under a name, in this browser alone. */
import { useSyncExternalStore } from "react";
import { isRecord } from "../schema/schema.ts";

interface SavedCall {
  readonly name: string;
  readonly procedure: string;
  readonly input: unknown;
}

const key = "fairlead-saved-calls";
const most = 100;

const isSavedCall = (value: unknown): value is SavedCall =>
  isRecord(value) && typeof value.name === "string" && typeof value.procedure === "string";

const read = (): readonly SavedCall[] => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isSavedCall) : [];
  } catch {
    return [];
  }
};

let saved = read();
const listeners = new Set<() => void>();

/** `false`: the browser has no room for it. */
const write = (next: readonly SavedCall[]): boolean => {
  try {
    localStorage.setItem(key, JSON.stringify(next));
  } catch {
    return false;
  }
  saved = next;
  for (const listener of listeners) listener();
  return true;
};

/** Replaces one of the same name. The newest comes first; the oldest of more than a hundred goes. */
export const saveCall = (call: SavedCall): boolean =>
  write([call, ...saved.filter(({ name }) => name !== call.name)].slice(0, most));

export const removeCall = (name: string): boolean => write(saved.filter((call) => call.name !== name));

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useSavedCalls = (): readonly SavedCall[] => useSyncExternalStore(subscribe, () => saved);
