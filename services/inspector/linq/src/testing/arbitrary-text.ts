/**
 * Random texts that are nearly expressions: a grammar whose words are the language's own, the hostile world's members and
 * the payloads of known escapes; then a few characters lost, doubled or swapped.
 */
import fc from "fast-check";

const members = [
  ..."armed list proxy method elements sly map set date weak promise symbol big nan holes boxed regexp error".split(
    " ",
  ),
  ..."bytes cycle trap inherits revoked nested behindProxy n name text secret v self Level Lazy Run x".split(" "),
  ..."constructor __proto__ prototype toString valueOf then toJSON length Length Count Keys Key Value".split(" "),
  ..."Parent Root It And __defineGetter__ caller Year DayOfWeek Ticks Host Days".split(" "),
] as const;
const roots = [..."W W W W W W Rows List Liar Trap Proxy it $ parent ^ root ~ a".split(" "), "@0", "@1"];
const lambdas = ["Where", "Select", "SelectMany", "Any", "All", "Count", "Sum", "Min", "Max", "Average", "OrderBy"];
const more = [
  "GroupBy",
  "First",
  "FirstOrDefault",
  "TakeWhile",
  "SkipWhile",
  "Distinct",
  "Reverse",
  "ToList",
  "Single",
];
const calls = ["ToString", "GetHashCode", "Equals", "CompareTo", "Contains", "StartsWith", "Substring", "PadLeft"];
const others = ["Replace", "Split", "Trim", "IndexOf", "Skip", "Take", "Concat", "Union", "ContainsKey", "GetType"];
const statics = ["Math.Abs", "Math.Max", "Convert.ToInt32", "string.Join", "string.Concat", "int", "DateTime", "Uri"];
const forms = ["np", "isnull", "iif", "is", "as", "cast", "Process.Start", "eval", "Function", "require"];
const signs = "+ - * / % == != < <= > >= && || ?? & | << >> and or eq".split(" ");
const oddSigns = "in => = is as . ; ^ ++ ===".split(" ");
const literals = [
  "0",
  "1",
  "-1",
  "2147483647",
  "1.5",
  "1e308",
  "2m",
  "'a'",
  '""',
  '"a"',
  '"constructor"',
  "null",
  "true",
];
const odd = [
  '"\\u0022);process.exit()//"',
  '"`$\\x7b1}`"',
  "1e999",
  "0x",
  "9999999999999999999999",
  '"Int32"',
  '"Trap"',
  "\ud800",
];

const pick = fc.constantFrom;

/** Mostly what is sound, now and then what is not. */
const mostly = (sound: readonly string[], unsound: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 40, arbitrary: pick(...sound) }, { weight: 1, arbitrary: pick(...unsound) });

const { expression } = fc.letrec<{ expression: string; chain: string; list: string }>((tie) => ({
  chain: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    pick(...roots),
    pick(...roots),
    mostly(literals, odd).map((text) => `(${text})`),
    fc.tuple(tie("chain"), pick(".", "?.", "?."), pick(...members)).map((parts) => parts.join("")),
    fc.tuple(tie("chain"), tie("expression")).map(([object, key]) => `${object}[${key}]`),
    fc
      .tuple(tie("chain"), pick(...lambdas, ...more, ...calls, ...others), tie("list"))
      .map(([object, name, list]) => `${object}.${name}(${list})`),
    fc
      .tuple(tie("chain"), pick(...lambdas), tie("expression"))
      .map(([object, name, body]) => `${object}.${name}(a => ${body})`),
    fc.tuple(pick(...statics, ...forms), tie("list")).map(([name, list]) => `${name}(${list})`),
  ),
  expression: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    tie("chain"),
    tie("chain"),
    mostly(literals, odd),
    fc.tuple(tie("expression"), mostly(signs, oddSigns), tie("chain")).map((parts) => parts.join(" ")),
    fc
      .tuple(pick("-", "!", "not ", "("), tie("expression"))
      .map(([sign, body]) => `${sign}${body}${sign === "(" ? ")" : ""}`),
    fc.tuple(tie("chain"), tie("expression"), tie("expression")).map(([a, b, c]) => `${a} ? ${b} : ${c}`),
    fc.tuple(tie("expression"), pick(...members)).map(([value, name]) => `new { ${value} as ${name} }`),
    tie("list").map((list) => `new[] { ${list} }`),
    fc.tuple(tie("chain"), tie("list")).map(([item, list]) => `${item} in (${list})`),
  ),
  list: fc.array(tie("expression"), { maxLength: 3 }).map((items) => items.join(", ")),
}));

const damage = fc.array(
  fc.tuple(fc.nat(), fc.constantFrom("", "", "(", ")", '"', "'", ".", ",", "\\", "@", " ", "new {")),
  {
    maxLength: 2,
  },
);

/** Most are left as they are. */
export const arbitraryText: fc.Arbitrary<string> = fc
  .tuple(expression, fc.constantFrom(false, false, false, false, false, true), damage)
  .map(([text, isDamaged, wounds]) => {
    if (!isDamaged) return text;
    return wounds.reduce((whole, [place, put]) => {
      const at = place % (whole.length + 1);
      return whole.slice(0, at) + put + whole.slice(at + 1);
    }, text);
  });
