/** Changes of the file that a procedure takes or gives: its size and its media types. Pure. Not here: its input and output (`schema-changes`). */
import { type ChangePlace, change, type ReleaseChange } from "./change.ts";
import type { ReleasedFile, ReleasedProcedure } from "./release.ts";

interface FilePlace extends ChangePlace {
  /** How it is called, like `POST /api/album/add`. */
  readonly call: string;
}

/** A file that is taken must not become smaller or of fewer types, one that is given must not become of more. */
export const fileChanges = (
  before: ReleasedProcedure,
  after: ReleasedProcedure,
  place: FilePlace,
): readonly ReleaseChange[] => [
  ...uploadChanges(before.upload, after.upload, place),
  ...downloadChanges(before.download, after.download, place),
];

const uploadChanges = (
  was: ReleasedFile | undefined,
  is: ReleasedFile | undefined,
  { call, ...place }: FilePlace,
): readonly ReleaseChange[] => {
  if (was === undefined)
    return is === undefined
      ? []
      : [
          change("upload_added", place, {
            message: "it takes a file, and needs one",
            witness: `${call} without a file`,
          }),
        ];
  if (is === undefined)
    return [change("upload_removed", place, { message: "it takes no file any more", witness: `${call} with a file` })];
  const found: ReleaseChange[] = [];
  const [most, least] = [was.maxBytes ?? Number.POSITIVE_INFINITY, is.maxBytes ?? Number.POSITIVE_INFINITY];
  if (most !== least) {
    const message = `took a file of ${sizeText(most)}, and takes one of ${sizeText(least)}`;
    found.push(
      most > least
        ? change("upload_narrowed", place, {
            message,
            witness: `${call} with a file of ${Number.isFinite(most) ? most : least + 1} bytes`,
          })
        : change("upload_widened", place, { message }),
    );
  }
  const message = `took ${typesText(was)}, and takes ${typesText(is)}`;
  const refused = typeOnlyIn(was, is);
  if (refused !== undefined)
    found.push(change("upload_narrowed", place, { message, witness: `${call} with a file of the type ${refused}` }));
  if (typeOnlyIn(is, was) !== undefined) found.push(change("upload_widened", place, { message }));
  return found;
};

const downloadChanges = (
  was: ReleasedFile | undefined,
  is: ReleasedFile | undefined,
  { call, ...place }: FilePlace,
): readonly ReleaseChange[] => {
  if (was === undefined)
    return is === undefined
      ? []
      : [
          change("download_added", place, {
            message: "it gives a file, and no JSON any more",
            witness: `${call}, answered with bytes`,
          }),
        ];
  if (is === undefined)
    return [
      change("download_removed", place, {
        message: "it gives no file any more",
        witness: `${call}, answered with JSON`,
      }),
    ];
  const message = `gave ${typesText(was)}, and gives ${typesText(is)}`;
  const added = typeOnlyIn(is, was);
  return [
    ...(added === undefined
      ? []
      : [
          change("download_widened", place, { message, witness: `${call}, answered with a file of the type ${added}` }),
        ]),
    ...(typeOnlyIn(was, is) === undefined ? [] : [change("download_narrowed", place, { message })]),
  ];
};

/** Tried before a made-up one, so that the witness is one that people know. */
const knownTypes = ["image/png", "image/jpeg", "text/plain", "application/pdf", "audio/mpeg", "video/mp4"];

/** A media type that the first takes and the second does not. */
const typeOnlyIn = (wider: ReleasedFile, narrower: ReleasedFile): string | undefined => {
  const families = (wider.types ?? ["*/*"]).map((each) =>
    each.replace(/^\*\//, "application/").replace(/\*$/, "x-any-other"),
  );
  return [...knownTypes, ...families].find((type) => isTaken(type, wider) && !isTaken(type, narrower));
};

const isTaken = (type: string, { types }: ReleasedFile): boolean => {
  const [family = ""] = type.toLowerCase().split("/");
  return types?.some((each) => [type.toLowerCase(), `${family}/*`, "*/*"].includes(each.toLowerCase())) ?? true;
};

const typesText = ({ types }: ReleasedFile): string =>
  types === undefined ? "files of any type" : types.length === 0 ? "files of no type" : `files of ${types.join(", ")}`;

const sizeText = (bytes: number): string => (Number.isFinite(bytes) ? `at most ${bytes} bytes` : "any size");
