import { describe, expect, it } from "vitest";
import { planDeliveries } from "./plan-deliveries.ts";

const person = (id: string, email: string, { isActive = true, emailOptedOut = false } = {}) => {
  return { id, displayName: id, email, isActive, emailOptedOut };
};
const people = [
  person("a", "a@x.test"),
  person("b", "B@x.test"),
  person("c", "b@X.test"),
  person("d", "d@x.test", { isActive: false }),
  person("e", "e@x.test", { emailOptedOut: true }),
  person("f", "f@x.test", { isActive: false, emailOptedOut: true }),
];
const known = new Map(people.map((each) => [each.id, each]));

describe("the deliveries of a draft", () => {
  it("are one per recipient, in order; repeated addresses, inactive members and opted-out members are skipped", () => {
    const draft = {
      id: "draft",
      organisationId: "o",
      recipientMemberIds: ["d", "b", "c", "a", "a", "unknown", "e", "f"],
    };
    const planned = planDeliveries(draft, known).map(({ memberId, state, error }) => [
      memberId,
      state,
      error?.split(":")[0],
    ]);
    expect(planned).toEqual([
      ["d", "skipped", "not_active"],
      ["b", "pending", undefined],
      ["c", "skipped", "address_repeated"],
      ["a", "pending", undefined],
      ["a", "skipped", "address_repeated"],
      ["unknown", "skipped", "not_active"],
      ["e", "skipped", "opted_out"],
      ["f", "skipped", "not_active"],
    ]);
  });
});
