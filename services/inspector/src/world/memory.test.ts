/** The simulated memory holds what the objects show, and says what can be read. */
import { defaultLimits, LinqError, runToEnd } from "@fairlead/linq";
import { expect, test } from "vitest";
import { Inspection } from "../answer/inspection.ts";
import { createWorld } from "./world.ts";

const world = createWorld({ seed: 7, entities: 60, limits: defaultLimits, now: () => 0 });
const inspection = new Inspection({ ...world, limits: defaultLimits, elapsed: () => 0 });

const asked = (expr: string): unknown => {
  try {
    return runToEnd(inspection.eval({ expr, depth: 2 }));
  } catch (error) {
    if (error instanceof LinqError) return { code: error.code, hint: error.hint };
    throw error;
  }
};

test.each(["Health", "Mana", "EnergyShield"])("%s is the same in memory and in the object", (name) => {
  const life = "Player.GetComponent<Life>()";
  const there = `Memory.Read<LifeComponentOffsets>(${life}.Address).${name}`;
  for (const each of ["Regen", "Max", "Current", "ReservedFlat"])
    expect(asked(`${there}.${each}`), each).toBe(asked(`${life}.${name}.${each}`));
});

test("the camera is the same in memory and in the object", () => {
  const there = "Memory.Read<CameraOffsets>(Camera.Address)";
  for (const each of ["Width", "Height", "ZFar", "Position.X", "Position.Y", "Position.Z"])
    expect(asked(`${there}.${each}`), each).toBe(asked(`Camera.${each}`));
});

test("what can not be read says what can", () => {
  const range = expect.stringMatching(/1048576 bytes from \d+ on/);
  expect(asked("Memory.ReadBytes(Memory.BaseAddress, 4)")).toMatchObject({ count: 4 });
  expect(asked("Memory.ReadBytes(Memory.BaseAddress - 1L, 4)")).toEqual({ code: "out_of_range", hint: range });
  expect(asked("Memory.ReadBytes(Memory.BaseAddress + Memory.Size, 1)")).toEqual({ code: "out_of_range", hint: range });
  expect(asked("Memory.ReadBytes(Memory.BaseAddress, 1048576)")).toEqual({
    code: "out_of_range",
    hint: expect.stringMatching(/at most 4096/),
  });
  expect(asked('Memory.SizeOf("VitalStruct")')).toBe(52);
  expect(asked('Memory.SizeOf("Int64")')).toBe(8);
  expect(asked('Memory.SizeOf("VitalStuct")')).toEqual({ code: "unknown_type", hint: "did you mean 'VitalStruct'?" });
  expect(asked('Memory.SizeOf("Life")')).toMatchObject({
    code: "unknown_type",
    hint: expect.stringMatching(/structs/),
  });
});
