import { QuotaService } from "@aiplatform/contract/aiplatform/content/v1/quotas";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { ContentRig } from "./content-rig.ts";

describe("the list of quotas", () => {
  it("is refused where a service that counts some is not set up, and names the setting", async () => {
    await using rig = await ContentRig.start();
    expect(await failureOf(rig.as().client(QuotaService).listQuotas({}))).toMatchObject({
      code: Code.Unavailable,
      reason: "QUOTAS_UNAVAILABLE",
      message:
        "The quotas that identity counts are not known at the moment: its address is not set here (IDENTITY_ADDRESS).",
    });
  });
});
