/** Why a value is refused: an entry of a 422 answer without its place and input. */
export class Fault {
  /** Kind of the fault, such as `uuid_parsing`. */
  readonly type: string;
  /** For people. */
  readonly msg: string;
  /** JSON text of an object with the fault's particulars. */
  readonly ctx: string | undefined;
  constructor(type: string, msg: string, ctx?: string) {
    this.type = type;
    this.msg = msg;
    this.ctx = ctx;
  }
}

/** The words of pydantic 2.12 for faults that have no particulars. */
export const faults = {
  missing: new Fault("missing", "Field required"),
  object: new Fault("model_attributes_type", "Input should be a valid dictionary or object to extract fields from"),
  dictionary: new Fault("dict_type", "Input should be a valid dictionary"),
  list: new Fault("list_type", "Input should be a valid list"),
  string: new Fault("string_type", "Input should be a valid string"),
  bytes: new Fault("bytes_type", "Input should be a valid bytes"),
  base64: new Fault("base64_decode", "Base64 decoding error"),
  uuid: new Fault("uuid_type", "UUID input should be a string, bytes or UUID object"),
  integer: new Fault("int_type", "Input should be a valid integer"),
  integerText: new Fault("int_parsing", "Input should be a valid integer, unable to parse string as an integer"),
  integerSize: new Fault("int_parsing_size", "Unable to parse input string as an integer, exceeded maximum size"),
  fraction: new Fault("int_from_float", "Input should be a valid integer, got a number with a fractional part"),
  number: new Fault("float_type", "Input should be a valid number"),
  numberText: new Fault("float_parsing", "Input should be a valid number, unable to parse string as a number"),
  finite: new Fault("finite_number", "Input should be a finite number"),
  boolean: new Fault("bool_type", "Input should be a valid boolean"),
  booleanText: new Fault("bool_parsing", "Input should be a valid boolean, unable to interpret input"),
  dateTime: new Fault("datetime_type", "Input should be a valid datetime"),
  zone: new Fault("timezone_aware", "Input should have timezone info, such as the Z of 2026-03-02T09:00:00Z"),
} as const;

/** A fault without a kind of its own. */
export function valueFault(reason: string): Fault {
  return new Fault("value_error", `Value error, ${reason}`, JSON.stringify({ error: {} }));
}

/** A field that there is none of; `known` are those there are. */
export function extraFault(known: readonly string[]): Fault {
  const names = known.length === 0 ? "none is known" : `known are ${known.map((name) => `'${name}'`).join(", ")}`;
  return new Fault("extra_forbidden", `Extra inputs are not permitted: ${names}`);
}

/** A value outside a closed set: `'a', 'b' or 'c'`. */
export function choiceFault(type: "enum" | "literal_error", choices: readonly string[]): Fault {
  const quoted = choices.map((choice) => `'${choice.replace(/[\\']/g, "\\$&")}'`);
  const last = quoted.pop() ?? "";
  const expected = quoted.length === 0 ? last : `${quoted.join(", ")} or ${last}`;
  return new Fault(type, `Input should be ${expected}`, JSON.stringify({ expected }));
}
