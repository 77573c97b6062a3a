import { describe, expect, it } from "@jest/globals";
import { planDeliveries } from "./plan-deliveries.ts";

const person = (id: string, email: string, isActive = true) => ({ id, displayName: id, email, isActive });
const known = new Map(
  [person("a", "a@x.test"), person("b", "B@x.test"), person("c", "b@X.test"), person("d", "d@x.test", false)].map(
    (each) => [each.id, each],
  ),
);

describe("the deliveries of a draft", () => {
  it("are one per recipient in their order; repeated addresses and whoever may not act are skipped", () => {
    const draft = { id: "draft", organisationId: "o", recipientMemberIds: ["d", "b", "c", "a", "a", "unknown"] };
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
    ]);
  });
});
