/** Names for branches, bases and files as an attacker would choose them; for tests. */
import * as fc from "fast-check";

/** Names made of what options, revisions, shells and paths are made of; a good part of them are allowed. */
export const hostileName = fc.oneof(
  fc
    .array(
      fc.constantFrom(
        ..."-|--|--output=|--upload-pack=|-c|..|@{|}|~|^|:|\n| |main|/|$(touch canary)|`|\\|*|\0|HEAD|feature|.lock|é|0".split(
          "|",
        ),
      ),
      { minLength: 1, maxLength: 5 },
    )
    .map((parts) => parts.join("")),
  fc.stringMatching(/^[\w./-]{1,24}$/),
  fc.stringMatching(/^[A-Za-z0-9][\w-]{0,20}$/),
  fc.string({ maxLength: 24 }),
);
