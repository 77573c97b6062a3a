import { describe, expect, it } from "vitest";
import { fencedText } from "./fenced-text.ts";

describe("a text in a code fence", () => {
  it.each([
    ["```\n[1]\n```", "[1]"],
    ["```json\n[1]\n```", "[1]"],
    [" \n```json  \n\n[1]\n \n```\n ", "[1]"],
    ["```\n[1]\n```\n```", "[1]\n```"],
    ["```\n[\n1]\n  ```", "[\n1]"],
  ])("of %j is %j", (text, expected) => {
    expect(fencedText(text)).toBe(expected);
  });

  it.each(["[1]", "```[1]```", "```\n[1]```", "```json[1]\n```", "```", "``````", "```\n[1]", "so:\n```\n[1]\n```"])(
    "is not in %j",
    (text) => {
      expect(fencedText(text)).toBeUndefined();
    },
  );

  it("is looked for in time that grows with the text, whatever blanks it has", () => {
    for (const blank of ["\n", " \n", "\n ", "`", "\u3000\n"]) {
      const blanks = blank.repeat(500_000);
      const before = process.cpuUsage();
      for (const text of [`\`\`\`${blanks}x`, `\`\`\`json\n${blanks}x${blanks}\`\`\``]) fencedText(text);
      // A pattern took 43 s for 4,000 newlines.
      expect(process.cpuUsage(before).user).toBeLessThan(500_000);
    }
  });
});
