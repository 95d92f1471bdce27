/** Why the reference is not there, and what to do. `status` is the answer's; none where there was no answer. Pure. */
export const failureText = (status: number | undefined): string => {
  if (status === undefined)
    return "The kernel does not answer. Start it with `fairlead up`, then load this page again.";
  if (status === 401 || status === 403)
    return "This kernel wants to know who you are. Open its console with `fairlead console`, then load this page again.";
  return `The document of this reference cannot be read: the kernel answered ${status}. Its log says why.`;
};
