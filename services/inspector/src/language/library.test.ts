/** What .NET's types can do beyond the other tables: statics of enums, numbers, characters and dates, overloads of strings. */
import { errors, values } from "../testing/table.ts";

values("Enum", [
  ['Enum.Parse<DayOfWeek>("Monday")', "Monday", "DayOfWeek"],
  ['Enum.Parse<DayOfWeek>("monday", true) == DayOfWeek.Monday', true],
  ['Enum.Parse("DayOfWeek", "3")', "Wednesday"],
  ['Enum.Parse<Game.Rarity>("Rare") > First.Rarity', true],
  ['Enum.IsDefined<DayOfWeek>("Friday")', true],
  ["Enum.IsDefined<DayOfWeek>(7)", false],
  ["Enum.IsDefined<Rarity>(First.Rarity)", true],
  ["Enum.GetName<DayOfWeek>(2)", "Tuesday", "String"],
  ["Enum.GetName<DayOfWeek>(99)", null],
  ['Enum.GetNames("DayOfWeek").First()', "Sunday"],
  ["Enum.GetValues<DayOfWeek>().Count(it > DayOfWeek.Monday)", 5],
  ['Enum.Format<DayOfWeek>(1, "X")', "00000001"],
  ["Enum.ToObject<DayOfWeek>(6)", "Saturday", "DayOfWeek"],
]);

errors("Enum", [
  ['Enum.Parse<DayOfWeek>("Someday")', "bad_format", 5],
  ['Enum.Parse<DayOfWeek>("monday")', "bad_format", 5],
  ["Enum.Parse(1)", "wrong_arguments", 5, /Enum\.Parse<DayOfWeek>/],
  ["Enum.GetNames<Monster>()", "wrong_arguments", 14],
  ["Enum.GetNmes<DayOfWeek>()", "unknown_method", 5, /GetNames/],
  ['Enum.GetNames("Nothing")', "unknown_type", 14],
]);

values("strings", [
  ['"abcABC".IndexOf("B", 2, StringComparison.OrdinalIgnoreCase)', 4],
  ['"abcabc".LastIndexOf("b", 4, 2)', 4],
  ['"abcabc".LastIndexOf("b", 3, 2)', -1],
  ['"abcABC".LastIndexOf("b", 5, StringComparison.OrdinalIgnoreCase)', 4],
  ["\"abcabc\".IndexOfAny(new[] { 'c', 'b' }, 3)", 4],
  ["\"abcabc\".LastIndexOfAny(new[] { 'c', 'b' }, 3)", 2],
  ["\"xxaxy\".Trim(new[] { 'x', 'y' })", "a"],
  ["\"xxaxy\".TrimEnd(new[] { 'x', 'y' })", "xxa"],
  ["\"xxaxy\".TrimStart(new[] { 'x', 'y' })", "axy"],
  ['"a, b,,c".Split(",", 3, StringSplitOptions.TrimEntries)', ["a", "b", ",c"]],
  ['"a-b+c".Split(new[] { "-", "+" }, StringSplitOptions.None)', ["a", "b", "c"]],
  ['string.Compare("xabc", 1, "yABC", 1, 3, true)', 0],
  ['string.Compare("xabc", 1, "yabd", 1, 3)', -1],
  ['string.CompareOrdinal("xab", 1, "yab", 1, 9)', 0],
  ['string.Join("-", new[] { "a", "b", "c", "d" }, 1, 2)', "b-c"],
  ['"a".Clone()', "a"],
]);

errors("strings", [
  ['"abc".IndexOf("b", 9)', "out_of_range", 6],
  ['"abc".LastIndexOf("b", 1, 5)', "out_of_range", 6],
  ['string.Join("-", new[] { "a" }, 1, 2)', "out_of_range", 7],
  ['string.Compare("a", 5, "b", 0, 1)', "out_of_range", 7],
]);

values("numbers", [
  ["Math.Round(2.5, MidpointRounding.AwayFromZero)", 3],
  ["Math.Round(-2.5, MidpointRounding.ToEven)", -2],
  ["Math.Round(2.29, 1, MidpointRounding.ToZero)", 2.2],
  ["Math.Round(-1.1, MidpointRounding.ToNegativeInfinity)", -2],
  ["Math.Round(1.1, MidpointRounding.ToPositiveInfinity)", 2],
  ["Math.CopySign(3.0, -1.0)", -3],
  ["Math.ScaleB(3.0, 4)", 48],
  ["Math.MaxMagnitude(-5.0, 3.0)", -5],
  ["Math.MinMagnitude(-5.0, 3.0)", 3],
  ["Math.MaxMagnitude(-5.0, 5.0)", 5],
  ["double.IsFinite(1.0/0)", false],
  ["double.IsNegativeInfinity(-1.0/0)", true],
  ["double.IsInteger(2.0)", true],
  ["decimal.Add(decimal.One, 0.5m)", "1.5m"],
  ["decimal.Compare(decimal.MinusOne, decimal.Zero)", -1],
  ["decimal.Round(2.345m, 2)", "2.34m"],
  ['Convert.ToInt32("ff", 16)', 255],
  ['Convert.ToInt32("ffffffff", 16)', -1],
  ['Convert.ToInt64("-42", 10)', "-42L"],
  ["Convert.ToString(10, 2)", "1010"],
  ["Convert.ToString(-1, 16)", "ffffffff"],
  ["bool.TrueString", "True"],
]);

errors("numbers", [
  ['Convert.ToInt32("12", 8) + Convert.ToInt32("9", 8)', "bad_format", 35],
  ['Convert.ToInt32("1", 7)', "wrong_arguments", 8],
  ["decimal.Divide(1m, 0m)", "divide_by_zero", 8],
]);

values("characters", [
  ["char.IsAsciiLetter('ä')", false],
  ["char.IsBetween('c', 'a', 'f')", true],
  ["char.GetNumericValue('7')", 7],
  ["char.GetNumericValue('x')", -1],
  ["char.IsSeparator(' ')", true],
]);

values("dates", [
  ["DateTime(2026, 1, 2).ToShortDateString()", "01/02/2026"],
  ["DateTime(2026, 1, 2).ToLongDateString()", "Friday, 02 January 2026"],
  ["DateTime(2026, 1, 2, 3, 4, 5).ToLongTimeString()", "03:04:05"],
  ["DateTime.UnixEpoch.AddDays(1).ToUnixTimeSeconds()", "86400L"],
  ["DateTimeOffset.FromUnixTimeSeconds(86400) == DateTime(1970, 1, 2)", true],
  ["DateTime.Compare(DateTime(2026, 1, 2), DateTime(2026, 1, 1))", 1],
  ["DateTime(2026, 1, 2).AddTicks(10000000).Second", 1],
  ["DateTime(1900, 1, 1).ToOADate()", 2],
  ["TimeSpan.FromTicks(TimeSpan.TicksPerMinute).TotalSeconds", 60],
  ["TimeSpan(1, 0, 0).Multiply(1.5).TotalMinutes", 90],
  ["TimeSpan(1, 0, 0).Divide(TimeSpan(0, 20, 0))", 3],
  ["DateOnly.FromDayNumber(DateOnly(2026, 1, 2).DayNumber) == DateOnly(2026, 1, 2)", true],
  ["TimeOnly(13, 5).ToShortTimeString()", "13:05"],
  ['Uri("http://localhost/a/").IsBaseOf(Uri("http://localhost/a/b"))', true],
  ['Uri("http://[::1]/").IsLoopback', true],
  ['Uri.UnescapeDataString("a%20b")', "a b"],
]);
