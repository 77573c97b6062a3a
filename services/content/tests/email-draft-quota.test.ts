import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { EmailRig } from "./email-rig.ts";

describe("an organisation with as many unsent e-mail drafts as its quota", () => {
  it("is refused another, with both figures, until one is deleted", async () => {
    await using rig = await EmailRig.start({ QUOTAS: JSON.stringify({ email_drafts: 2 }) });
    const create = () => rig.drafts.createEmailDraft({ subject: "News", text: "t" });
    const { draft } = await create();
    await create();
    expect(await failureOf(create())).toMatchObject({
      code: Code.PermissionDenied,
      reason: "QUOTA_EXCEEDED",
      metadata: { quota: "email_drafts", limit: "2", used: "2", asked: "1" },
    });
    await rig.drafts.deleteEmailDraft({ draftId: draft?.id ?? "" });
    await create();
  });
});
