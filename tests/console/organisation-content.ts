import { answerOf, createPlatformClient } from "@aiplatform/client";
import type { Description } from "@aiplatform/local-platform";

/** What of an organisation the screens of people, features and drafts show. */
export interface OrganisationContent {
  memberId: string;
  roleId: string;
  /** A draft to four members, not sent yet. */
  draftId: string;
}

const permissions = ["dictionary:read", "dictionary:write", "features:read", "features:write"] as const;

/** Fills an organisation so that each screen of people, features and drafts has something to show. */
export async function fillOrganisation({ gateway, bearer, model_id }: Description): Promise<OrganisationContent> {
  const platform = createPlatformClient({ baseUrl: gateway, credential: bearer });
  const role = answerOf(
    await platform.POST("/organisations/roles/", {
      body: { name: "Data steward", slug: "data-steward", permission_ids: [...permissions] },
    }),
  );
  const memberIds: string[] = [];
  for (const team of ["Data", "Vision", "Research"]) {
    const member = { display_name: `${team} team`, email: `${team.toLowerCase()}@demo.example` };
    const role_ids = team === "Data" ? [role.id] : [];
    memberIds.push(answerOf(await platform.POST("/platform/members", { body: { member, role_ids } })).id);
  }
  const me = answerOf(await platform.GET("/platform/members/me"));
  for (const name of ["nightly training", "dashboards"])
    answerOf(await platform.POST("/platform/api-keys", { body: { name, permission_ids: [...permissions] } }));
  await fillFeatures(gateway, bearer, { owner: me.id, model_id });
  const draft = answerOf(
    await platform.POST("/platform/email-drafts", {
      body: {
        subject: "The model of last week, {{ member.display_name }}",
        text: "Dear {{ member.display_name }},\n\nthe newest version reads 98 of 100 digits. Roll it out when you are ready.\n",
        html: "<p>Dear {{ member.display_name }},</p>\n<p>the newest version reads <b>98 of 100</b> digits.</p>\n",
        recipient_member_ids: [me.id, ...memberIds],
      },
    }),
  );
  answerOf(await platform.PATCH("/platform/workspaces/settings", { body: { workspaces_enabled: true } }));
  answerOf(await platform.POST("/platform/workspaces/grouping-runs", {}));
  return { memberId: memberIds[0] ?? "", roleId: role.id, draftId: draft.id };
}

async function fillFeatures(gateway: string, bearer: string, { owner, model_id }: { owner: string; model_id: string }) {
  const platform = createPlatformClient({ baseUrl: gateway, credential: bearer });
  const put = async (feature_key: string, description: string, replacement_key?: string) => {
    const body = { description, owner_member_id: owner, ...(replacement_key !== undefined && { replacement_key }) };
    answerOf(await platform.PUT("/platform/features/{feature_key}", { params: { path: { feature_key } }, body }));
  };
  await put("stroke_width", "Mean width of the strokes, in pixels");
  await put("slant", "Angle of the strokes against the vertical, in degrees");
  await put("ink_total", "Number of dark pixels. Depends on the size of the scan.", "ink_share");
  if (model_id !== "")
    answerOf(
      await platform.PUT("/platform/features/{feature_key}/usages/{asset_type}/{asset_id}", {
        params: { path: { feature_key: "stroke_width", asset_type: "model", asset_id: model_id } },
        body: { asset_name: "Digits", usage_notes: "One of its inputs" },
      }),
    );
  answerOf(
    await platform.DELETE("/feature-memory/{feature_key}/", {
      params: { path: { feature_key: "ink_total" }, query: { keep: true } },
    }),
  );
}
