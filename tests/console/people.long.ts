import { answerOf, createPlatformClient } from "@aiplatform/client";
import type { Description } from "@aiplatform/local-platform";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchChromium } from "../infra/chromium.ts";
import { ownPlatform } from "../infra/own-platform.ts";
import { accessibilityFaults, loaded, newPage, overflow, signIn } from "./console-page.ts";
import { fillOrganisation, type OrganisationContent } from "./organisation-content.ts";

let description: Description;
ownPlatform((started) => {
  description = started.description;
});

let browser: Browser;
let content: OrganisationContent;
const platform = () => createPlatformClient({ baseUrl: description.gateway, credential: description.bearer });
beforeAll(async () => {
  content = await fillOrganisation(description);
  browser = await launchChromium();
}, 120_000);
afterAll(async () => {
  await browser?.close();
});

async function open(path: string, options: { width?: number; key?: string } = {}): Promise<Page> {
  const { width = 1280, key = description.api_key } = options;
  const { page } = await newPage(browser, { width, height: 800 });
  await signIn(page, { ...description, api_key: key });
  await page.goto(`${description.gateway}/console${path}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return page;
}

const paths = () => [
  "/people/members",
  `/people/members/${content.memberId}`,
  "/people/roles",
  `/people/roles/${content.roleId}`,
  "/people/keys",
  "/people/accounts",
  "/people/workspaces",
  "/people/quotas",
  "/people/audit",
  "/features",
  "/features/ink_total",
  "/drafts",
  `/drafts/${content.draftId}`,
];

describe("the screens of people, features and drafts", () => {
  it.each([360, 3_840])(
    "are not wider than the window of %i pixels",
    async (width) => {
      const page = await open("/people/members", { width });
      for (const path of paths()) {
        await page.goto(`${description.gateway}/console${path}`);
        await loaded(page);
        expect([path, await overflow(page)]).toEqual([path, 0]);
      }
      await page.context().close();
    },
    120_000,
  );

  it("can be used with assistive technology when they have content", async () => {
    const page = await open("/people/members");
    for (const path of paths()) {
      await page.goto(`${description.gateway}/console${path}`);
      await loaded(page);
      expect([path, await accessibilityFaults(page)]).toEqual([path, []]);
    }
    await page.context().close();
  }, 120_000);
});

describe("a caller who may only read features", () => {
  let page: Page;
  beforeAll(async () => {
    const body = { name: "reader", permission_ids: ["features:read" as const] };
    const { secret } = answerOf(await platform().POST("/platform/api-keys", { body }));
    page = await open("/features", { key: secret });
  });

  it.each([
    ["/people/members", "members:manage"],
    ["/people/roles", "roles:manage"],
    ["/people/keys", "apikeys:manage"],
    ["/people/accounts", "oauth:link"],
    ["/people/workspaces", "workspaces:read"],
    ["/people/quotas", "quotas:read"],
    ["/people/audit", "audit:read"],
    ["/drafts", "emails:write"],
  ])("reads at %s that it needs %s", async (path, permission) => {
    await page.goto(`${description.gateway}/console${path}`);
    await page.getByText(`You need the permission ${permission}.`).first().waitFor();
  });

  it("sees the features, and cannot change them", async () => {
    await page.goto(`${description.gateway}/console/features/ink_total`);
    const save = page.getByRole("button", { name: "Save as a new version" });
    expect(await save.getAttribute("aria-description")).toContain("features:write");
  });
});

describe("a form whose subject someone else has changed", () => {
  it("keeps its text, shows what is stored, and replaces it only when asked again", async () => {
    const page = await open("/features/slant");
    await page.getByLabel("Usage notes").fill("written here");
    const params = { path: { feature_key: "slant" } };
    answerOf(await platform().PUT("/platform/features/{feature_key}", { params, body: { description: "by another" } }));
    await page.getByRole("button", { name: "Save as a new version" }).click();
    const notice = page.getByRole("alert");
    await notice.getByText("Someone else has changed it").waitFor();
    expect(await page.getByLabel("Usage notes").inputValue()).toBe("written here");
    await notice.getByRole("button", { name: "Keep mine" }).click();
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByText("Version 3 of slant is saved.").waitFor();
    const stored = answerOf(await platform().GET("/platform/features/{feature_key}", { params }));
    expect(stored).toMatchObject({ usage_notes: "written here", version: 3 });
    await page.context().close();
  });
});

describe("a form that was not saved", () => {
  it("asks before the page is left", async () => {
    const page = await open(`/drafts/${content.draftId}`);
    await page.getByLabel("Subject").fill("not saved");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Features" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await page.getByLabel("Subject").inputValue()).toBe("not saved");
    const send = page.getByRole("button", { name: "Send" });
    expect(await send.getAttribute("aria-description")).toBe("Save your changes first.");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Features" }).click();
    await dialog.getByRole("button", { name: "Leave" }).click();
    await page.getByRole("heading", { name: "Features", level: 1 }).waitFor();
    await page.context().close();
  });
});

describe("what the platform refuses", () => {
  it("is shown with field, rule and request", async () => {
    const page = await open("/drafts/new");
    await page.getByLabel("Subject").fill("Hello {{ member.");
    await page.getByRole("button", { name: "Create draft" }).click();
    const alert = page.getByRole("alert");
    await alert.getByText("subject", { exact: true }).waitFor();
    await alert.getByText("template_invalid").waitFor();
    await alert.getByText("What to do").waitFor();
    await alert.getByText("Request").waitFor();
    await page.context().close();
  });

  it("is shown in its dialog: the last administrator stays", async () => {
    const me = answerOf(await platform().GET("/platform/members/me"));
    const page = await open(`/people/members/${me.id}`);
    await page.getByRole("button", { name: "Deactivate" }).click();
    const dialog = page.getByRole("dialog", { name: "Deactivate" });
    await dialog.getByRole("button", { name: "Deactivate" }).click();
    await dialog.getByRole("alert").getByText("Make another member administrator first.").waitFor();
    await page.context().close();
  });
});
