/** The protocol's datatypes that are served. BYTES are texts in UTF-8. */
export type Datatype =
  | "BOOL"
  | "UINT8"
  | "UINT16"
  | "UINT32"
  | "UINT64"
  | "INT8"
  | "INT16"
  | "INT32"
  | "INT64"
  | "FP16"
  | "FP32"
  | "FP64"
  | "BYTES";

/** A tensor's elements, in row-major order. */
export type TensorData =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | BigUint64Array
  | Int8Array
  | Int16Array
  | Int32Array
  | BigInt64Array
  | Float16Array
  | Float32Array
  | Float64Array
  | string[];

interface Rule {
  /** The same in ONNX Runtime. */
  readonly onnx: string;
  /** Bytes of an element; 0 where they differ. */
  readonly bytes: number;
  /** Reads elements from JSON, `undefined` when one does not fit. */
  readonly fromJson: (values: readonly unknown[]) => TensorData | undefined;
  /** Makes the elements from their bytes, which are aligned and whole. */
  readonly fromBytes: (bytes: ArrayBuffer) => TensorData;
}

type NumberArray = { from(values: readonly number[]): TensorData; new (buffer: ArrayBuffer): TensorData };

function whole(onnx: string, type: NumberArray, o: { bytes: number; min: number; max: number }): Rule {
  const fits = (value: unknown) => Number.isInteger(value) && Number(value) >= o.min && Number(value) <= o.max;
  return {
    onnx,
    bytes: o.bytes,
    fromJson: (values) => (values.every(fits) ? type.from(values.map(Number)) : undefined),
    fromBytes: (bytes) => new type(bytes),
  };
}

const notNumbers: ReadonlyMap<unknown, number> = new Map([
  ["NaN", Number.NaN],
  ["Infinity", Number.POSITIVE_INFINITY],
  ["-Infinity", Number.NEGATIVE_INFINITY],
]);

function float(onnx: string, type: NumberArray, bytes: number): Rule {
  return {
    onnx,
    bytes,
    fromJson(values) {
      const numbers = values.map((value) => (typeof value === "number" ? value : notNumbers.get(value)));
      const isWhole = (list: (number | undefined)[]): list is number[] => !list.includes(undefined);
      return isWhole(numbers) ? type.from(numbers) : undefined;
    },
    fromBytes: (buffer) => new type(buffer),
  };
}

type BigArray = { from(values: readonly bigint[]): TensorData; new (buffer: ArrayBuffer): TensorData };

/** JSON's numbers are exact up to 2^53; beyond, digits in a text are read. */
function big(onnx: string, type: BigArray, min: bigint, max: bigint): Rule {
  const read = (value: unknown) => {
    if (Number.isSafeInteger(value)) return BigInt(Number(value));
    return typeof value === "string" && /^-?\d{1,20}$/.test(value) ? BigInt(value) : undefined;
  };
  return {
    onnx,
    bytes: 8,
    fromJson(values) {
      const integers = values.map(read);
      const fits = (value: bigint | undefined): value is bigint => value !== undefined && value >= min && value <= max;
      return integers.every(fits) ? type.from(integers) : undefined;
    },
    fromBytes: (buffer) => new type(buffer),
  };
}

/** Everything that depends on a datatype. */
export const datatypes: Readonly<Record<Datatype, Rule>> = {
  BOOL: {
    onnx: "bool",
    bytes: 1,
    fromJson: (values) =>
      values.every((value) => typeof value === "boolean") ? Uint8Array.from(values, Number) : undefined,
    fromBytes: (bytes) => new Uint8Array(bytes),
  },
  UINT8: whole("uint8", Uint8Array, { bytes: 1, min: 0, max: 2 ** 8 - 1 }),
  UINT16: whole("uint16", Uint16Array, { bytes: 2, min: 0, max: 2 ** 16 - 1 }),
  UINT32: whole("uint32", Uint32Array, { bytes: 4, min: 0, max: 2 ** 32 - 1 }),
  UINT64: big("uint64", BigUint64Array, 0n, 2n ** 64n - 1n),
  INT8: whole("int8", Int8Array, { bytes: 1, min: -(2 ** 7), max: 2 ** 7 - 1 }),
  INT16: whole("int16", Int16Array, { bytes: 2, min: -(2 ** 15), max: 2 ** 15 - 1 }),
  INT32: whole("int32", Int32Array, { bytes: 4, min: -(2 ** 31), max: 2 ** 31 - 1 }),
  INT64: big("int64", BigInt64Array, -(2n ** 63n), 2n ** 63n - 1n),
  FP16: float("float16", Float16Array, 2),
  FP32: float("float32", Float32Array, 4),
  FP64: float("float64", Float64Array, 8),
  BYTES: {
    onnx: "string",
    bytes: 0,
    fromJson: (values) => (values.every((value) => typeof value === "string") ? [...values] : undefined),
    fromBytes: () => [],
  },
};

export function isDatatype(name: unknown): name is Datatype {
  return typeof name === "string" && Object.hasOwn(datatypes, name);
}

const byOnnxName = new Map<string, Datatype>(
  Object.entries(datatypes).flatMap(([name, { onnx }]) => (isDatatype(name) ? [[onnx, name]] : [])),
);

/** The protocol's name of one of ONNX Runtime's types; undefined for a type that is not served. */
export function datatypeOfOnnx(type: string): Datatype | undefined {
  return byOnnxName.get(type);
}
