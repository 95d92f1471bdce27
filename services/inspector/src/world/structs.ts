/** Structs of the simulated game, with the layouts that its memory is read by. */
import { member, sequential, struct, type TypeDeclaration } from "../host/declaration.ts";

const vector3 = "System.Numerics.Vector3";

const offsets = (name: string): string => `GameOffsets.${name}`;

export const structs: readonly TypeDeclaration[] = [
  sequential("System.Numerics.Vector2", { X: "Single", Y: "Single" }),
  sequential(vector3, { X: "Single", Y: "Single", Z: "Single" }),
  sequential("SharpDX.RectangleF", { X: "Single", Y: "Single", Width: "Single", Height: "Single" }),
  sequential(offsets("Native.StdVector"), { First: "Int64", Last: "Int64", End: "Int64" }),
  sequential(offsets("Native.NativePtrArray"), { First: "Int64", Last: "Int64", End: "Int64" }),
  struct(offsets("Native.NativeUtf8Text"), {
    Buffer: ["Int64", 0],
    Length: ["Int64", 16],
    LengthWithNullTerminator: ["Int64", 24],
  }),
  {
    name: offsets("Native.FixedName"),
    kind: "struct",
    layout: { kind: "Sequential", charSet: "Ansi" },
    members: [
      member("Length", "Int32", { kind: "field" }),
      member("Text", "String", {
        kind: "field",
        attributes: [{ name: "MarshalAs", args: { UnmanagedType: "ByValTStr", SizeConst: 32 } }],
      }),
    ],
  },
  struct(offsets("VitalStruct"), {
    ReservedFlat: ["Int32", 16],
    ReservedFraction: ["Int32", 20],
    Regen: ["Single", 40],
    Max: ["Int32", 44],
    Current: ["Int32", 48],
  }),
  struct(offsets("LifeComponentOffsets"), {
    Owner: ["Int64", 8],
    Health: ["VitalStruct", 376],
    Mana: ["VitalStruct", 456],
    EnergyShield: ["VitalStruct", 512],
  }),
  struct(offsets("EntityOffsets"), {
    Head: ["Int64", 8],
    EntityDetailsPtr: ["Int64", 8],
    ComponentList: ["StdVector", 16],
    Id: ["UInt32", 144],
    Flags: ["EntityFlags", 148],
  }),
  struct(offsets("BuffOffsets"), {
    BuffDatPtr: ["Int64", 8],
    MaxTime: ["Single", 24],
    Timer: ["Single", 28],
    Charges: ["UInt16", 66],
  }),
  struct(offsets("CameraOffsets"), {
    Position: ["Vector3", 308],
    MatrixBytes: ["Single", 320],
    ZFar: ["Single", 532],
    Width: ["Int32", 600],
    Height: ["Int32", 604],
  }),
  struct(offsets("ActorAnimationStageOffsets"), {
    StageStart: ["Single", 4],
    ActorAnimationListIndex: ["Int32", 8],
    StageName: ["NativeUtf8Text", 24],
  }),
];
