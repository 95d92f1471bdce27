/** The query of the address that this tab was opened with, as it was sent: the router writes addresses in its own way. For what comes back from a page of others, like a login. */
let arrival = location.search.slice(1);

/** Gives it once. */
export const takeArrival = (): string => {
  const query = arrival;
  arrival = "";
  return query;
};
