/**
 * The one table of names that a target language, a file system or JavaScript itself has for something else. A new language is a new row;
 * those that no emitter of ours writes yet have theirs, since clients in them are generated from the OpenAPI document.
 *
 * What is in it is refused as the id of a contract and of a schema, since these are the same in all languages. Names of fields and
 * procedures travel on the wire, so only what objects inherit is refused; a language whose keyword one is quotes or escapes it.
 */
import { pascalCase } from "../model/letter-case.ts";

type TargetLanguage = "typescript" | "python" | "go" | "rust" | "csharp" | "java";

interface LanguageWords {
  /** How messages call it. */
  readonly name: string;
  /** No identifier may be one of these. */
  readonly keywords: ReadonlySet<string>;
  /** True where any identifier can be written, keywords too: `r#loop`, `@event`. */
  readonly escapes?: true;
  /** Types that generated code uses, or that a reader takes for the language's own. */
  readonly types: ReadonlySet<string>;
  /** Names of its own that generated code uses, and that a member may hide from what is beside it. */
  readonly builtins?: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

const languages: Readonly<Record<TargetLanguage, LanguageWords>> = {
  typescript: {
    name: "TypeScript",
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
    name: "Python",
    keywords: words(
      "False None True and as assert async await break class continue def del elif else except finally for from global if import " +
        "in is lambda nonlocal not or pass raise return try while with yield",
    ),
    types: words(
      "Any Callable Dict Ellipsis Exception Final Generic Iterator List Literal Mapping NamedTuple Never NotImplemented NotRequired " +
        "Optional Protocol Required Self Sequence Tuple Type TypeAlias TypedDict Union Unpack",
    ),
    builtins: words("bool bytes dict fairlead float int list object str tuple"),
  },
  go: {
    name: "Go",
    keywords: words(
      "break case chan const continue default defer else fallthrough for func go goto if import interface map package range " +
        "return select struct switch type var",
    ),
    // Its own types are written small, and exported ones begin with a capital.
    types: new Set(),
  },
  rust: {
    name: "Rust",
    keywords: words(
      "abstract as async await become box break const continue do dyn else enum extern false final fn for gen if impl in let loop " +
        "macro match mod move mut override priv pub ref return static struct trait true try type typeof union unsafe unsized use " +
        "virtual where while yield",
    ),
    escapes: true,
    // A module's own type takes the place of any other of the prelude.
    types: words("Box Err None Ok Self Some Vec"),
  },
  csharp: {
    name: "C#",
    keywords: words(
      "abstract as base bool break byte case catch char checked class const continue decimal default delegate do double else enum " +
        "event explicit extern false finally fixed float for foreach goto if implicit in int interface internal is lock long " +
        "namespace new null object operator out override params private protected public readonly ref return sbyte sealed short " +
        "sizeof stackalloc static string struct switch this throw true try typeof uint ulong unchecked unsafe ushort using " +
        "virtual void volatile while",
    ),
    escapes: true,
    types: words("Attribute Byte Char DateTime Decimal Delegate Double Enum Guid Nullable Single Type Uri Void"),
  },
  java: {
    name: "Java",
    keywords: words(
      "abstract assert boolean break byte case catch char class const continue default do double else enum extends false final " +
        "finally float for goto if implements import instanceof int interface long native new null package private protected " +
        "public return short static strictfp super switch synchronized this throw throws transient true try void volatile while",
    ),
    types: words("Byte Character Class Double Enum Float Integer Long Override Short System Thread Throwable Void"),
  },
};

/** How messages call a language. */
export const languageName = (language: TargetLanguage): string => languages[language].name;

/** Types of our own documents. */
const ownTypes = words("Json Problem");

/** Whose type `name` is already: a language's, or ours. */
export const typeOwner = (name: string): TargetLanguage | "fairlead" | undefined => {
  if (ownTypes.has(name)) return "fairlead";
  return targetLanguages.find(
    (language) => languages[language].types.has(name) || languages[language].keywords.has(name),
  );
};

const targetLanguages: readonly TargetLanguage[] = ["typescript", "python", "go", "rust", "csharp", "java"];

export const isPythonKeyword = (name: string): boolean => languages.python.keywords.has(name);

export const isPythonBuiltin = (name: string): boolean => languages.python.builtins?.has(name) === true;

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
  const language = targetLanguages
    .map((each) => languages[each])
    .find(({ keywords, escapes }) => escapes === undefined && keywords.has(id));
  if (language !== undefined) return `it is a keyword of ${language.name}, where the id is the name of a module`;
  const { keywords, types } = languages.python;
  const className = pascalCase(id);
  if (keywords.has(className) || types.has(className))
    return `its class in Python would be \`${className}\`, which is Python's own`;
  return memberRefusal(id);
};

/** Why nothing that JavaScript looks up by name may have this one, like a procedure, or `undefined`. */
export const memberRefusal = (name: string): string | undefined => {
  if (inheritedNames.has(name)) return "every JavaScript object has a member of that name";
  return memberNames.has(name) ? "promises and functions have a member of that name" : undefined;
};
