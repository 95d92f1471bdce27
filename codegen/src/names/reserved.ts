/**
 * The one table of names that a target language, a file system or JavaScript itself has for something else. A new language is a new row.
 *
 * Type names that stand here are refused, since they are the same in all languages. A field's or a procedure's name is what travels on the
 * wire: a language whose keyword it is writes it with an underscore behind it (`escapeKeyword`).
 */
export type TargetLanguage = "typescript" | "python";

interface LanguageWords {
  /** No identifier may be one of these. */
  readonly keywords: ReadonlySet<string>;
  /** Types that generated code uses, or that a reader takes for the language's own. */
  readonly types: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const languages: Readonly<Record<TargetLanguage, LanguageWords>> = {
  typescript: {
    keywords: words(
      "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
        "finally for function if implements import in instanceof interface let new null package private protected public return " +
        "static super switch this throw true try typeof undefined var void while with yield",
    ),
    types: words(
      "Array AsyncIterable Boolean Date Error Function Infinity Iterable Map NaN Number Object Omit Partial Pick Promise Proxy " +
        "Readonly ReadonlyArray Record Reflect RegExp Required ServiceDescriptor Set String Symbol Uint8Array",
    ),
  },
  python: {
    keywords: words(
      "False None True and as assert async await break class continue def del elif else except finally for from global if import " +
        "in is lambda nonlocal not or pass raise return try while with yield",
    ),
    types: words(
      "Any Callable Dict Ellipsis Exception Final Generic Iterator List Literal Mapping NamedTuple NotImplemented NotRequired " +
        "Optional Protocol Required Self Sequence Tuple Type TypeAlias TypedDict Union Unpack",
    ),
  },
};

/** Types of our own documents. */
const ownTypes = words("Json Problem");

/** Whose type `name` is already: a language's, or ours. */
export const typeOwner = (name: string): TargetLanguage | "fairlead" | undefined => {
  if (ownTypes.has(name)) return "fairlead";
  return targetLanguages.find(
    (language) => languages[language].types.has(name) || languages[language].keywords.has(name),
  );
};

const targetLanguages: readonly TargetLanguage[] = ["typescript", "python"];

/** The languages whose keyword a name is. */
export const keywordOwners = (name: string): readonly TargetLanguage[] =>
  targetLanguages.filter((language) => languages[language].keywords.has(name));

/** A name as a language can write it: `import` is `import_` in Python. */
export const escapeKeyword = (language: TargetLanguage, name: string): string =>
  languages[language].keywords.has(name) ? `${name}_` : name;

/** Names of files that Windows cannot have, whatever their extension and case. */
export const isDeviceName = (name: string): boolean =>
  /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])$/i.test(name);

/** What every JavaScript object inherits: absent would look present. */
export const inheritedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** What promises and functions have: a client that is one of them would take it for a procedure's. */
export const memberNames: ReadonlySet<string> = new Set([
  ...inheritedNames,
  ...words("then catch finally call apply bind prototype toJSON"),
]);
