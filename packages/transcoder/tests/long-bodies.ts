const mebibyte = 1_048_576;

const times = (part: string, separator = ",") =>
  Array(Math.floor(mebibyte / (part.length + separator.length)))
    .fill(part)
    .join(separator);
const members = Array.from({ length: 80_000 }, (_, at) => `"k${at}":[]`).join(",");
const step = (member: string) => `{"steps":[{"key":"a",${member}}]}`;

/** Bodies of about a megabyte for `SaveAutomationDraft`, by what they are full of. */
export const longBodies = {
  "a text in a step": step(`"prompt":{"prompt":"${"a".repeat(mebibyte)}"}`),
  "brackets in a text": step(`"prompt":{"prompt":"${"[{".repeat(mebibyte / 2)}"}`),
  "escaped quotes": step(`"prompt":{"prompt":"${'\\"'.repeat(mebibyte / 2)}"}`),
  "escaped pairs": step(`"prompt":{"prompt":"${"\\ud83d\\ude00".repeat(mebibyte / 12)}"}`),
  "numbers for steps": `{"steps":[${times("1")}]}`,
  "empty steps": `{"steps":[${times("{}")}]}`,
  "unknown members": `{${members}}`,
  "unknown members in a step": step(members),
  "one member again and again": `{${times('"steps":1')}}`,
  "an unknown list": `{"unknown":[${times("[]")}]}`,
  "nested lists": `{"unknown":[${times("[".repeat(200) + "]".repeat(200))}]}`,
};
