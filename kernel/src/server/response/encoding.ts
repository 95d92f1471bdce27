/** Content codings: which of those that there are a client takes. Pure. */

/** The codings that responses can have, the smallest result first. */
const encodings = ["br", "gzip"] as const;

export type Encoding = (typeof encodings)[number];

/** The smallest coding that the client takes, of those there are. A weight of 0 refuses one. */
export const chooseEncoding = (
  accepted: string | undefined,
  isThere: (encoding: Encoding) => boolean = () => true,
): Encoding | undefined => {
  const taken = new Set(
    (accepted ?? "").split(",").flatMap((part) => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      return parameters.some((each) => /^q=0(?:\.0*)?$/.test(each)) ? [] : [name];
    }),
  );
  return encodings.find((name) => taken.has(name) && isThere(name));
};
