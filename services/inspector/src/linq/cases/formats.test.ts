/** `ToString(format)`, `String.Format` and its kin, as .NET's invariant culture writes; and that no format is a surprise. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { LinqError } from "../error.ts";
import { formatted } from "../format/format.ts";
import { Decimal } from "../value/decimal.ts";
import { DateTime, TimeSpan } from "../value/time.ts";
import { errors, values } from "./table.ts";

values("formats", [
  ['(1234.5).ToString("N2")', "1,234.50", "String"],
  ['(1234.567).ToString("F1")', "1234.6"],
  ['(0.125).ToString("F2")', "0.13"],
  ['(2.675).ToString("F2")', "2.67"],
  ['(2.675m).ToString("F2")', "2.68"],
  ['(-5).ToString("D4")', "-0005"],
  ['(255).ToString("X")', "FF"],
  ['(255).ToString("x4")', "00ff"],
  ['(-1).ToString("X")', "FFFFFFFF"],
  ['(5).ToString("B8")', "00000101"],
  ['(0.256).ToString("P1")', "25.6 %"],
  ['(1234.5).ToString("E2")', "1.23E+003"],
  ['(123456).ToString("G2")', "1.2E+05"],
  ['(0.1f).ToString("G")', "0.1"],
  ['(-3).ToString("C")', "(¤3.00)"],
  ['(9223372036854775807).ToString("N0")', "9,223,372,036,854,775,807"],
  ['(1234567.891).ToString("#,##0.00")', "1,234,567.89"],
  ['(7).ToString("000")', "007"],
  ['(0.5).ToString("0.##")', "0.5"],
  ['(3).ToString("0.##")', "3"],
  ['(0.5).ToString("#.00")', ".50"],
  ['(0.257).ToString("0%")', "26%"],
  ["(1500000).ToString(\"0,,.0'M'\")", "1.5M"],
  ['(-3).ToString("0.0;(0.0);zero")', "(3.0)"],
  ['(0).ToString("0.0;(0.0);zero")', "zero"],
  ['(5551234).ToString("000-0000")', "555-1234"],
  ['(0.0/0).ToString("F2")', "NaN"],
  ['First.Seen.ToString("yyyy-MM-dd")', "2026-01-01"],
  ['First.Seen.ToString("dddd, d MMM yy h:mm tt")', "Thursday, 1 Jan 26 12:00 AM"],
  ['First.Seen.ToString("d")', "01/01/2026"],
  ['First.Seen.ToString("s")', "2026-01-01T00:00:00"],
  ['First.Age.ToString("g")', "0:01:00"],
  ["First.Age.ToString(\"hh':'mm\")", "00:01"],
  ['First.Rarity.ToString("D")', "1"],
  ['First.Rarity.ToString("G")', "Magic"],
  ['Guid.Empty.ToString("N")', "00000000000000000000000000000000"],
  ['First.Hp.ToString("D5")', "00100"],
  ['People[0].age.ToString("F1")', "30.0"],
  ['People[0].since.ToString("yyyy")', "2020"],
  ['§.Select(Ratio.ToString("0.0")).First()', "0.3"],
  ['String.Format("{0} of {1:N1} {{x}}", First.Rarity, 1234.56)', "Magic of 1,234.6 {x}"],
  ['String.Format("{0,5}|{0,-5}|{1:yyyy}", 7, First.Seen)', "    7|7    |2026"],
  ['String.Format("none")', "none"],
  ['String.Format("{0}{1}", null, 0.1f)', "0.1"],
  ['string.Join(", ", 1, "b", First.Rarity, null)', "1, b, Magic, "],
  ['string.Join(",", People[0].tags)', "x,y"],
  ["string.IsNullOrEmpty(People[0].name)", false],
  ['string.Join("-", People[0].name)', "Ann"],
  ['String.Concat(1, "a", true)', "1aTrue"],
  ['String.Concat("a", "b", "c", "d", "e")', "abcde"],
  ["Math.DivRem(-7, 2)", { Item1: -3, Item2: -1 }],
  ["Math.DivRem(7L, 2L).Item2", "1L", "Int64"],
]);

errors("formats", [
  ['(1.5).ToString("D")', "bad_format", 6],
  ['(1).ToString("Q")', "bad_format", 4],
  ['(1).ToString("F100")', "bad_format", 4],
  ['First.Seen.ToString("q")', "bad_format", 11],
  ['First.Rarity.ToString("N")', "bad_format", 13],
  ['"a".ToString("F2")', "wrong_arguments", 4],
  ['People[0].name.ToString("F2")', "wrong_arguments", 15],
  ["String.Format()", "wrong_arguments", 7, /^Format\(String\), Format\(String, object\).*, …$/],
  ['String.Format("{1}", 1)', "bad_format", 7],
  ['String.Format("{0", 1)', "bad_format", 7],
  ['String.Format("{0,999999999}", 1)', "text_too_long", 7],
  ['(1e300).ToString("0%%%%%%%%%")', "overflow", 8],
  ["Math.DivRem(1, 0)", "divide_by_zero", 5],
]);

test("property: whole numbers can be read back from every format that shows all of them", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      const show = (format: string): string => formatted(value, format, String(value)) ?? "";
      expect(BigInt(show("N0").replaceAll(",", ""))).toBe(value);
      expect(BigInt(show("D").replaceAll(",", ""))).toBe(value);
      expect(BigInt(show("#,0").replaceAll(",", ""))).toBe(value);
      expect(show("#,0")).toBe(show("N0"));
      expect(BigInt.asIntN(show("X").length <= 8 && value < 0n ? 32 : 64, BigInt(`0x${show("X")}`))).toBe(value);
    }),
  );
});

test("property: two digits behind the point are the nearest ones, whatever wrote them", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
      const text = formatted(value, "F2", "") ?? "";
      expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(0.005 + 1e-6);
      if (Number(text) !== 0) expect(formatted(value, "0.00", "")).toBe(text);
      expect(formatted(value, "N2", "")?.replaceAll(",", "")).toBe(text);
    }),
  );
});

test("property: any text as a format gives a text of bounded length or our error", () => {
  const letters = fc
    .array(fc.constantFrom(..."0#.,%;'\"\\\\EFNPDXGCByMdHhmsft 19"), { maxLength: 300 })
    .map((all) => all.join(""));
  const any = fc.constantFrom(0, -1.5, 1e300, 5n, Decimal.of(-12345n, 3), DateTime.of(0), TimeSpan.of(-90_061_001));
  fc.assert(
    fc.property(any, fc.oneof(letters, fc.string()), (value, format) => {
      try {
        expect((formatted(value, format, "") ?? "").length).toBeLessThan(2_000);
      } catch (error) {
        expect(error).toBeInstanceOf(LinqError);
      }
    }),
    { numRuns: 2_000 },
  );
});
