import { describe, expect, it } from "vitest";
import { deliveryError, recipientsText, sendingForecast } from "./delivery-texts.ts";

describe("an error of a delivery", () => {
  it.each([
    ["not_active", "not an active member"],
    ["refused 550", "the mail server refused it (550)"],
    ["too_late: 451", "the mail server did not accept it in time (451)"],
    ["something_new 550", "something_new 550"],
  ])("is said in words: %s", (error, text) => {
    expect(deliveryError(error)).toBe(text);
  });
});

describe("a sending that has not begun", () => {
  const member = { status: "active", email: "a@x.example", email_opted_out: false } as const;
  const known = new Map([
    ["a", member],
    ["twin", member],
    ["invited", { ...member, status: "invited", email: "i@x.example" } as const],
    ["gone", { ...member, status: "inactive", email: "g@x.example" } as const],
    ["quiet", { ...member, email: "q@x.example", email_opted_out: true }],
  ]);

  it("says who would be skipped, and why", () => {
    expect(sendingForecast(["a", "twin", "invited", "gone", "quiet", "stranger"], known)).toEqual({
      recipients: 6,
      reached: 1,
      skipped: { not_active: 2, opted_out: 1, address_repeated: 1 },
      unknown: 1,
    });
  });

  it.each([
    [1, "1 recipient"],
    [1_200, "1,200 recipients"],
  ])("counts recipients: %i", (count, text) => {
    expect(recipientsText(count)).toBe(text);
  });
});
