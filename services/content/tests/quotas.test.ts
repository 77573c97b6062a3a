import { FeatureMemoryService } from "@aiplatform/contract/aiplatform/content/v1/feature_memory";
import { QuotaService } from "@aiplatform/contract/aiplatform/content/v1/quotas";
import { SearchService } from "@aiplatform/contract/aiplatform/content/v1/search";
import { SearchKind } from "@aiplatform/contract/aiplatform/search/v1/search";
import { failureOf } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { ContentRig } from "./content-rig.ts";

describe("a search", () => {
  it("names the kinds of services that do not answer, as far as the caller may read them", async () => {
    await using rig = await ContentRig.start();
    const caller = rig.as({ permissions: ["features:read", "features:write", "models:read"] });
    await caller.client(FeatureMemoryService).putFeature({ featureKey: "churn_rate", description: "d" });
    const search = caller.client(SearchService);
    expect(await search.search({ q: "churn rate" })).toMatchObject({
      results: [{ kind: SearchKind.FEATURE, name: "churn_rate", text: "d", path: "/platform/features/churn_rate" }],
      missingKinds: [SearchKind.MODEL],
    });
    expect(await search.search({ q: "churn", kinds: [SearchKind.FEATURE] })).toMatchObject({ missingKinds: [] });
    const foreign = rig.as({ organisationId: rig.globex, permissions: ["features:read"] });
    expect((await foreign.client(SearchService).search({ q: "churn" })).results).toEqual([]);
  });
});

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
