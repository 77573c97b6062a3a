import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareNumberTexts, isIntegerText } from "./decimal-text.ts";

describe("comparing numbers as they are written", () => {
  it.each([
    ["0.1", "0.1", 0],
    ["1e3", "1000", 0],
    ["-0", "0.0e9", 0],
    ["0.100000000000000000001", "0.1", 1],
    ["9007199254740993", "9007199254740992", 1],
    ["-1e400", "-1e399", -1],
    ["1e-400", "0", 1],
    ["123456789012345678901234567890", "123456789012345678901234567891", -1],
    ["0.5", "0.49", 1],
    ["-0.5", "0.1", -1],
    ["1e99999999999999999999999", "1e9", 1],
  ])("puts %s beside %s as %i", (left, right, sign) => {
    expect(Math.sign(compareNumberTexts(left, right))).toBe(sign);
    expect(Math.sign(compareNumberTexts(right, left)) + sign).toBe(0);
  });

  it("agrees with doubles wherever doubles are exact", () => {
    const exact = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(exact, exact, (left, right) => {
        const [a, b] = [JSON.stringify(left), JSON.stringify(right)];
        expect(Math.sign(compareNumberTexts(a, b)) + 0).toBe(Math.sign(Number(a) - Number(b)) + 0);
      }),
    );
  });

  it.each([
    ["1", true],
    ["1.0", true],
    ["10e-1", true],
    ["0.0", true],
    ["1.5e1", true],
    ["1.5", false],
    ["1e-1", false],
    ["90071992547409931.5", false],
  ])("takes %s for an integer: %s", (text, integer) => {
    expect(isIntegerText(text)).toBe(integer);
  });

  it("compares a megabyte of zeros within a request's share of CPU", () => {
    const zeros = "0".repeat(500_000);
    const before = process.cpuUsage();
    expect(compareNumberTexts(`0.${zeros}1`, `0.${zeros}2`)).toBeLessThan(0);
    expect(isIntegerText(`1.${zeros}1`)).toBe(false);
    // The pattern `0+$` took 1.9 s for 40,000 zeros.
    expect(process.cpuUsage(before).user).toBeLessThan(500_000);
  });
});
