/** A clock that goes on by a second at each look, and ids that count: the same in every process. */

export const countedWorld = () => {
  let now = Date.UTC(2026, 0, 1, 12);
  let last = 0;
  return {
    clock: (): number => {
      now += 1_000;
      return now;
    },
    ids: (): string => {
      last += 1;
      return last.toString(36).padStart(12, "0");
    },
  };
};
