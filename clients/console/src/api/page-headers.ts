/** Pages of other origins cannot send it: a session's cookie counts only beside it. */
export const pageHeaders = { "fairlead-console": "1" } as const;
