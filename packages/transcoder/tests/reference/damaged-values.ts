import type { Dice } from "./dice.ts";

const uuid = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

/** Texts that a reader of numbers, truths, uuids or names could take for one. */
const texts = [
  ...[
    "",
    " ",
    "0",
    "1",
    "-1",
    "+1",
    "007",
    "1_000",
    "1__0",
    "_1",
    "1_",
    "1.0",
    "1.",
    ".5",
    "1.50",
    "1e3",
    "1E400",
    "-0",
  ],
  ...[
    "0x10",
    "0b1",
    "0o7",
    "٣",
    "１２",
    "²",
    "½",
    "1 ",
    " 1",
    "\t1\n",
    "\u00a01",
    "\u30001",
    "1\u2028",
    "1\u001f",
    "1\u0000",
  ],
  ...[
    "\ufeff1",
    "1\u200b",
    "--1",
    "+-1",
    "+",
    "-",
    "1,0",
    "1;0",
    "1.0.0",
    "1.0000",
    "1.0_0",
    "1_0.0",
    "0.0",
    "-0.0",
    "5.",
    "1e0",
  ],
  ...[
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775809",
    "1".repeat(30),
    "1".repeat(4300),
    "1".repeat(4301),
  ],
  ...["0".repeat(4301), `${"0".repeat(4290)}1`, `-${"9".repeat(4300)}`, `${"1".repeat(4299)}.0`],
  ...[
    "inf",
    "-inf",
    "Infinity",
    "nan",
    "NaN",
    "-nan",
    "+nan",
    "infinit",
    "1e",
    "e1",
    "1e+5",
    "1e-5",
    "1_0e1_0",
    "1.e5",
  ],
  ...["true", "True", "TRUE", "tRuE", "yes", "Y", "on", "off", "f", "false ", " true", "oui", "ｔrue", "İ", "ſ"],
  ...[
    "abc",
    "é",
    "e\u0301",
    "😀",
    "👨‍👩‍👧",
    "𝔘",
    "\u0000",
    "\u007f",
    "\u0085",
    "\u2028",
    "\u202e",
    "\ud7ff",
    "\ue000",
    "\uffff",
  ],
  ...["'", '"', "\\", "`", "a'b", 'a"b', "<script>", "$where", "a.b", "__proto__", "constructor", "null", "undefined"],
  ...[
    "pause",
    "Pause",
    "PAUSE",
    " pause",
    "pause ",
    "warm_restart",
    "serving.v1",
    "file",
    "a-b_c",
    "-a",
    "a".repeat(62),
    "a".repeat(63),
    "a".repeat(64),
  ],
  ...[
    "x".repeat(99),
    "x".repeat(100),
    "x".repeat(101),
    "x".repeat(128),
    "x".repeat(129),
    "x".repeat(255),
    "x".repeat(256),
    "😀".repeat(255),
    "😀".repeat(256),
  ],
  ...["abc\n", "abc\r", "a\nb", "\nabc", "2026-01-01", "2026-01-01T00:00:00Z"],
];

/** JSON texts of values that few fields take. */
const jsons = [
  ...[
    "null",
    "true",
    "false",
    "0",
    "-0",
    "1",
    "-1",
    "1.0",
    "1.5",
    "-1.5",
    "1e2",
    "1E-2",
    "0.1",
    "1e-400",
    "5e-324",
    "1.7976931348623157e308",
  ],
  ...[
    "-0.0",
    "1.0000000000000001",
    "0.30000000000000004",
    "1e16",
    "123456789012345680000.0",
    "1e22",
    "1e15",
    "0.0001",
    "0.00001",
    "1e-7",
  ],
  ...[
    "9007199254740993",
    "18446744073709551616",
    "-9223372036854775809",
    "1e18",
    "9.3e18",
    "1e19",
    "1e20",
    "1e100",
    "-1e19",
    "9223372036854775807.0",
  ],
  ...[
    "1".repeat(40),
    `-${"1".repeat(40)}`,
    "1".repeat(400),
    "2147483647",
    "2147483648",
    "4294967296",
    "0.9999999999999999",
    "1.0000000000000002",
  ],
  ...[
    "[]",
    "{}",
    "[[]]",
    "[{}]",
    "[null]",
    "[1,2]",
    '["a"]',
    '{"a":1}',
    '{"a":{"b":[]}}',
    '{"":null}',
    "[ ]",
    "{ }",
    "[1 , 2 ]",
  ],
  ...[
    '{"a":1,"a":2}',
    '{"b":1,"a":2,"b":3}',
    '{"__proto__":1}',
    '{"constructor":{}}',
    '{"1":0,"0":1}',
    '{"a":1.50,"b":1e5,"c":-0.0}',
  ],
  ...[
    '{"0":1,"b":2,"a":3,"-1":4}',
    '{"\\u0061":1,"a":2}',
    '["\\ud83d\\ude00"]',
    '"\\u0000"',
    '"\\/"',
    '"\\u00e9"',
    '"a\\nb"',
  ],
];

/** A uuid, or something that was one. */
export function uuidLike(dice: Dice): string {
  const spelled = dice.of([uuid, uuid.toUpperCase(), uuid.replaceAll("-", ""), `{${uuid}}`, `urn:uuid:${uuid}`]);
  let text = spelled;
  for (let left = dice.below(3); left > 0; left--) text = damagedText(dice, text);
  return text;
}

/** A text with a character more, less or other. */
export function damagedText(dice: Dice, text: string): string {
  const units = [...text];
  const at = dice.below(units.length + 1);
  const stranger = dice.of(["g", "-", "{", "}", "0", "é", "😀", " ", ":", "\u0000", "A", "1", "_", "."]);
  const [removed, added] = dice.of<[number, string]>([
    [1, ""],
    [0, stranger],
    [1, stranger],
    [2 + dice.below(8), ""],
    [0, units.slice(at, at + 5).join("")],
  ]);
  units.splice(at, removed, added);
  return units.join("");
}

/** A text for a path, a query or a field. */
export function anyText(dice: Dice): string {
  if (dice.chance(0.3)) return uuidLike(dice);
  const text = dice.of(texts);
  return dice.chance(0.15) ? damagedText(dice, text) : text;
}

/** A text as JSON, sometimes with escapes where none are needed. */
export function quoted(dice: Dice, text: string): string {
  const plain = JSON.stringify(text);
  if (!dice.chance(0.1)) return plain;
  return `"${[...plain.slice(1, -1)].map((one) => (/[a-z]/.test(one) && !plain.includes("\\") ? escaped(one) : one)).join("")}"`;
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** JSON text of a value that may or may not fit. */
export function anyJson(dice: Dice): string {
  return dice.chance(0.5) ? quoted(dice, anyText(dice)) : dice.of(jsons);
}
