/** `ToString(format)`, `String.Format` and its kin, as .NET's invariant culture writes; and that no format is a surprise. */
import { LinqError } from "@fairlead/linq";
import { Decimal } from "@fairlead/linq/values";
import fc from "fast-check";
import { expect, test } from "vitest";
import { formatValue } from "../../linq/src/format/format.ts";
import { DateTime, TimeSpan } from "../../linq/src/value/time.ts";
import { errors, values } from "../testing/table.ts";

const inLongTier = process.env.TESTS_TIER === "long";

/** The examples that .NET's documentation gives for each specifier, those of a culture in the invariant one. */
values("documented examples of numbers", [
  ['(42).ToString("B")', "101010"],
  ['(255).ToString("b16")', "0000000011111111"],
  ['(1234).ToString("D")', "1234"],
  ['(-1234).ToString("D6")', "-001234"],
  ['(1052.0329112756).ToString("E")', "1.052033E+003"],
  ['(1052.0329112756).ToString("e")', "1.052033e+003"],
  ['(-1052.0329112756).ToString("e2")', "-1.05e+003"],
  ['(1234.567).ToString("F")', "1234.57"],
  ['(1234).ToString("F1")', "1234.0"],
  ['(-1234.56).ToString("F4")', "-1234.5600"],
  ['(-123.456).ToString("G")', "-123.456"],
  ['(123.4546).ToString("G4")', "123.5"],
  ['(-1.234567890e-25).ToString("G")', "-1.23456789E-25"],
  ['(1234.567).ToString("N")', "1,234.57"],
  ['(1234).ToString("N1")', "1,234.0"],
  ['(-1234.56).ToString("N3")', "-1,234.560"],
  ['(1).ToString("P")', "100.00 %"],
  ['(-0.39678).ToString("P1")', "-39.7 %"],
  ['(123456789.12345678).ToString("R")', "123456789.12345678"],
  ['(255).ToString("X")', "FF"],
  ['(255).ToString("x4")', "00ff"],
  ['(-1).ToString("x")', "ffffffff"],
  ['(-1L).ToString("x")', "ffffffffffffffff"],
  ['(1234.5678).ToString("00000")', "01235"],
  ['(0.45678).ToString("0.00")', "0.46"],
  ['(1234.5678).ToString("#####")', "1235"],
  ['(0.45678).ToString("#.##")', ".46"],
  ['(2147483647).ToString("##,#")', "2,147,483,647"],
  ['(2147483647).ToString("#,#,,")', "2,147"],
  ['(1000000000).ToString("#,0,,")', "1,000"],
  ['(0.3697).ToString("%#0.00")', "%36.97"],
  ['(0.3697).ToString("##.0 %")', "37.0 %"],
  ['(0.03697).ToString("#0.00‰")', "36.97‰"],
  ['(987654).ToString("#0.0e0")', "98.8e4"],
  ['(1503.92311).ToString("0.0##e+00")', "1.504e+03"],
  ['(1.8901385E-16).ToString("0.0e+00")', "1.9e-16"],
  ['(12.5).ToString("0.0E-00")', "1.3E01"],
  ['(0).ToString("0.0e+0")', "0.0e+0"],
  ['(987654).ToString("\\\\###00\\\\#")', "#987654#"],
  ["(68).ToString(\"# 'degrees'\")", "68 degrees"],
  ["(68).ToString(\"#' degrees'\")", "68 degrees"],
  ['(12.345).ToString("#0.0#;(#0.0#);-\\\\0-")', "12.35"],
  ['(0).ToString("#0.0#;(#0.0#);-\\\\0-")', "-0-"],
  ['(-12.345).ToString("#0.0#;(#0.0#);-\\\\0-")', "(12.35)"],
  ['(0).ToString("#0.0#;(#0.0#)")', "0.0"],
  ['(68).ToString("# °")', "68 °"],
  ['(34.5).ToString("00")', "35"],
]);

const june = 'DateTime"2009-06-15T13:45:30.617"';

values("documented examples of dates and spans", [
  [`${june}.ToString("d")`, "06/15/2009"],
  [`${june}.ToString("D")`, "Monday, 15 June 2009"],
  [`${june}.ToString("f")`, "Monday, 15 June 2009 13:45"],
  [`${june}.ToString("F")`, "Monday, 15 June 2009 13:45:30"],
  [`${june}.ToString("g")`, "06/15/2009 13:45"],
  [`${june}.ToString("G")`, "06/15/2009 13:45:30"],
  [`${june}.ToString("M")`, "June 15"],
  [`${june}.ToString("O")`, "2009-06-15T13:45:30.6170000"],
  [`${june}.ToString("R")`, "Mon, 15 Jun 2009 13:45:30 GMT"],
  [`${june}.ToString("s")`, "2009-06-15T13:45:30"],
  [`${june}.ToString("t")`, "13:45"],
  [`${june}.ToString("T")`, "13:45:30"],
  [`${june}.ToString("u")`, "2009-06-15 13:45:30Z"],
  [`${june}.ToString("U")`, "Monday, 15 June 2009 13:45:30"],
  [`${june}.ToString("Y")`, "2009 June"],
  [`${june}.ToString("%h")`, "1"],
  [`${june}.ToString("h \\\\h")`, "1 h"],
  [`${june}.ToString("'arr:' h:m t")`, "arr: 1:45 P"],
  [`${june}.ToString("f ff fff FFFF FFFFFFF")`, "6 61 617 617 617"],
  [`${june}.ToString("y yy yyy yyyyy")`, "9 09 2009 02009"],
  [`${june}.ToString("M MM MMM MMMM")`, "6 06 Jun June"],
  [`${june}.ToString("gg K|z zz zzz")`, "A.D. |+0 +00 +00:00"],
  ['DateTime(900, 1, 1).ToString("y yyy")', "0 900"],
  ['DateTime(2011, 6, 10).ToString("MMMM dd, yyyy")', "June 10, 2011"],
  ['TimeSpan(1, 12, 23, 62).ToString("c")', "1.12:24:02"],
  ['TimeSpan(0, 0, 30).ToString("c")', "00:00:30"],
  ['TimeSpan(3, 17, 25, 30, 500).ToString("c")', "3.17:25:30.5000000"],
  ['TimeSpan(1, 3, 16, 50, 500).ToString("g")', "1:3:16:50.5"],
  ['TimeSpan(0, 18, 30, 0).ToString("G")', "0:18:30:00.0000000"],
  ['TimeSpan(1, 12, 23, 62).ToString("%d")', "1"],
  ['TimeSpan(1, 12, 23, 62).ToString("dd\\\\.hh\\\\:mm\\\\:ss")', "01.12:24:02"],
]);

values("documented examples of enums and GUIDs", [
  ['DayOfWeek.Monday.ToString("G")', "Monday"],
  ['DayOfWeek.Monday.ToString("d")', "1"],
  ['DayOfWeek.Monday.ToString("X")', "00000001"],
  ['Guid.Empty.ToString("B")', "{00000000-0000-0000-0000-000000000000}"],
  ['Guid.Empty.ToString("P")', "(00000000-0000-0000-0000-000000000000)"],
  [
    'Guid("0f8fad5b-d9cb-469f-a165-70867728950e").ToString("X")',
    "{0x0f8fad5b,0xd9cb,0x469f,{0xa1,0x65,0x70,0x86,0x77,0x28,0x95,0x0e}}",
  ],
]);

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
      const show = (format: string): string => formatValue(value, format, String(value)) ?? "";
      expect(BigInt(show("N0").replaceAll(",", ""))).toBe(value);
      expect(BigInt(show("D").replaceAll(",", ""))).toBe(value);
      expect(BigInt(show("#,0").replaceAll(",", ""))).toBe(value);
      expect(show("#,0")).toBe(show("N0"));
      expect(BigInt.asIntN(64, BigInt(`0x${show("X")}`))).toBe(value);
    }),
  );
});

test("property: two digits behind the point are the nearest ones, whatever wrote them", () => {
  fc.assert(
    fc.property(fc.double({ min: -1e9, max: 1e9, noNaN: true }), (value) => {
      const text = formatValue(value, "F2", "") ?? "";
      expect(Math.abs(Number(text) - value)).toBeLessThanOrEqual(0.005 + 1e-6);
      if (Number(text) !== 0) expect(formatValue(value, "0.00", "")).toBe(text);
      expect(formatValue(value, "N2", "")?.replaceAll(",", "")).toBe(text);
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
        expect((formatValue(value, format, "") ?? "").length).toBeLessThan(2_000);
      } catch (error) {
        expect(error).toBeInstanceOf(LinqError);
      }
    }),
    { numRuns: inLongTier ? 2_000 : 300 },
  );
});
