/**
 * The one table of names that a target language, a file system or JavaScript itself has for something else. A new language is a new row.
 *
 * What stands here is refused as the id of a contract and of a schema, since these are the same in all languages. Names of fields and
 * procedures travel on the wire, so only what objects inherit is refused; a language whose keyword one is quotes or escapes it.
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

export const languageNames: Readonly<Record<TargetLanguage, string>> = { typescript: "TypeScript", python: "Python" };

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

/** Names of generated files. */
const ownFiles = words("kernel manifest router tools openapi");

/** Names of files that Windows cannot have, whatever their extension. */
const deviceName = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/** What every JavaScript object inherits: absent would look present. */
export const inheritedNames: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype));

/** What promises and functions have beside that: a client that is one of them would take it for a procedure's. */
const memberNames = words("then catch finally call apply bind prototype toJSON");

/** Why no contract may have this id, or `undefined`. The kernel's own contract may have the name of a generated file. */
export const idRefusal = (id: string, builtIn: boolean): string | undefined => {
  if (ownFiles.has(id)) return builtIn ? undefined : "a file that Fairlead generates has that name";
  if (deviceName.test(id)) return "it is the name of a device, and Windows can have no file of that name";
  const language = targetLanguages.find((each) => languages[each].keywords.has(id));
  if (language !== undefined)
    return `it is a keyword of ${languageNames[language]}, where the id is the name of a module`;
  return memberRefusal(id);
};

/** Why nothing that JavaScript looks up by name may have this one, like a procedure, or `undefined`. */
export const memberRefusal = (name: string): string | undefined => {
  if (inheritedNames.has(name)) return "every JavaScript object has a member of that name";
  return memberNames.has(name) ? "promises and functions have a member of that name" : undefined;
};
