/**
 * A stable sort of places that can pause: a merge sort in two arrays of numbers that are there from the start. Sorting objects
 * themselves would stop the thread until it is done, and give the collector a million of them to move.
 */
import type { Frame } from "../core/frame.ts";
import type { Resumable } from "../core/resumable.ts";
import type { HostAccess } from "../type/host.ts";
import type { Column } from "./column.ts";
import { compareValues } from "./compare.ts";

/** The order of two places. */
type PlaceOrder = (a: number, b: number) => number;

/** Places sorted by insertion first. */
const run = 8;

/** Orders places by key columns, each in its direction. */
export const columnOrder =
  (columns: readonly Column[], signs: readonly (1 | -1)[], host: HostAccess): PlaceOrder =>
  (a, b) => {
    for (let index = 0; index < columns.length; index++) {
      const column = columns[index];
      const order = compareValues(column?.at(a), column?.at(b), host);
      if (order !== 0) return order * (signs[index] ?? 1);
    }
    return 0;
  };

/** The numbers below `count` in an order; those that are alike as they came. */
export const sortPlaces = function* (count: number, order: PlaceOrder, frame: Frame): Resumable<Uint32Array> {
  let from = new Uint32Array(count);
  let to = new Uint32Array(count);
  for (let start = 0; start < count; start += run) {
    insertionSort(from, [start, Math.min(start + run, count)], order);
    if (!frame.isDue()) continue;
    frame.checkTime();
    yield;
  }
  for (let width = run; width < count; width *= 2) {
    for (let start = 0; start < count; start += 2 * width) {
      const middle = Math.min(start + width, count);
      const end = Math.min(start + 2 * width, count);
      let left = start;
      let right = middle;
      for (let at = start; at < end; at++) {
        const takesLeft = left < middle && (right >= end || order(from[left] ?? 0, from[right] ?? 0) <= 0);
        to[at] = from[takesLeft ? left++ : right++] ?? 0;
        if (!frame.isDue()) continue;
        frame.checkTime();
        yield;
      }
    }
    [from, to] = [to, from];
  }
  return from;
};

const insertionSort = (places: Uint32Array, [start, end]: readonly [number, number], order: PlaceOrder): void => {
  for (let next = start; next < end; next++) {
    let at = next;
    for (; at > start && order(places[at - 1] ?? 0, next) > 0; at--) places[at] = places[at - 1] ?? 0;
    places[at] = next;
  }
};
