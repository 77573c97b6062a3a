import { readFile } from "node:fs/promises";
import type { Description } from "@aiplatform/local-platform";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask } from "../mesh/rest.ts";
import { type ConsolePage, faultsInBothThemes, loaded } from "./console-page.ts";
import { signedInPage } from "./signed-in-page.ts";

let description: Description;
sharedPlatform((started) => {
  description = started.description;
});

let opened: ConsolePage;
let page: Page;
signedInPage(
  () => description,
  (signedIn) => {
    opened = signedIn;
    page = signedIn.page;
  },
);

/** Names of this run: other files share the organisation. */
const mark = crypto.randomUUID().slice(0, 8);
const roleName = `Stewards ${mark}`;
const keyName = `nightly ${mark}`;
const memberName = `Team ${mark}`;
const featureKey = `width_${mark}`;

const goTo = async (path: string) => {
  await page.goto(`${description.gateway}/console${path}`);
  await loaded(page);
};

const tab = (name: string) => page.getByRole("navigation", { name: "People and access" }).getByRole("link", { name });

describe("the start page", () => {
  it("shows what was done last, and leads to its records", async () => {
    const activity = page.getByRole("region", { name: "Recent activity" });
    await activity.getByRole("link", { name: "session created" }).first().click();
    await page.getByRole("heading", { name: "Audit log", level: 1 }).waitFor();
    await page.getByRole("row", { name: "identity.session.created" }).first().waitFor();
  });
});

describe("people and access in the console", () => {
  it("lead from the navigation to the members", async () => {
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "People" }).click();
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    await page.getByRole("row", { name: "Demo administrator" }).getByText("active").waitFor();
  });

  it("create a role, which is a column of the matrix", async () => {
    await tab("Roles").click();
    await page.getByRole("link", { name: "New role" }).click();
    await page.getByLabel("Name", { exact: true }).fill(roleName);
    await page.getByLabel("models:read", { exact: true }).check();
    await page.getByRole("button", { name: "Create role" }).click();
    await page.getByRole("heading", { name: roleName, level: 1 }).waitFor();
    await page.getByRole("link", { name: "Roles", exact: true }).click();
    // Other files have made roles, too, and a page has twelve.
    const more = page.getByRole("button", { name: "Show more" });
    const isThere = async () => {
      if (await page.getByRole("columnheader", { name: roleName }).isVisible()) return true;
      // It is away while a page is on its way, and at the end.
      await more.click({ timeout: 500 }).catch(() => undefined);
      return false;
    };
    await expect.poll(isThere, { timeout: 30_000 }).toBe(true);
  });

  it("invite a member with that role", async () => {
    await tab("Members").click();
    await page.getByRole("button", { name: "Invite", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Invite a member" });
    await dialog.getByLabel("Name").fill(memberName);
    await dialog.getByLabel("E-mail address").fill(`${mark}@demo.example`);
    await dialog.getByRole("checkbox", { name: roleName }).check();
    await dialog.getByRole("button", { name: "Invite" }).click();
    await page.getByRole("heading", { name: memberName, level: 1 }).waitFor();
    await page.getByText("invited", { exact: true }).waitFor();
    expect(await page.getByRole("checkbox", { name: roleName }).isChecked()).toBe(true);
  });

  it("deactivate and reactivate them", async () => {
    await page.getByRole("button", { name: "Deactivate" }).click();
    const dialog = page.getByRole("dialog", { name: `Deactivate ${memberName}` });
    await dialog.getByText("They have made no key that still works.").waitFor();
    await dialog.getByRole("button", { name: "Deactivate" }).click();
    await page.getByText("inactive", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Reactivate" }).click();
    await page.getByRole("dialog", { name: "Reactivate" }).getByRole("button", { name: "Reactivate" }).click();
    await page.getByText("invited", { exact: true }).waitFor();
  });

  it("create a key, show it once, and revoke it", async () => {
    await goTo("/people/keys");
    await page.getByRole("button", { name: "New key" }).click();
    const dialog = page.getByRole("dialog", { name: /^New API key|^The key/ });
    await dialog.getByLabel("Name").fill(keyName);
    await dialog.getByLabel("models:read", { exact: true }).check();
    await dialog.getByRole("button", { name: "Create key" }).click();
    const secret = await dialog.getByLabel("API key", { exact: true }).inputValue();
    const answer = await fetch(`${description.gateway}/platform/session`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(await answer.json()).toMatchObject({ name: keyName, permission_ids: ["models:read"] });
    await dialog.getByRole("button", { name: "Close without copying" }).click();
    const row = page.getByRole("row", { name: keyName });
    await row.getByRole("button", { name: "Revoke" }).click();
    await page
      .getByRole("dialog", { name: `Revoke ${keyName}` })
      .getByRole("button", { name: "Revoke key" })
      .click();
    await row.getByText("revoked").waitFor();
    expect(await page.content()).not.toContain(secret);
  });

  it("rotate a key, and show the new one also when no key fits the filter any longer", async () => {
    const name = `rotated ${mark}`;
    await ask(description, { path: "/platform/api-keys", body: { name, permission_ids: ["models:read"] } });
    // The old key ends, and the new one is too young.
    const filter = `name = "${name}" AND created_at <= ${new Date().toISOString()} AND NOT expires_at:*`;
    await goTo(`/people/keys?${new URLSearchParams({ filter })}`);
    await page.getByRole("row", { name }).getByRole("button", { name: "Rotate" }).click();
    await page
      .getByRole("dialog", { name: `Rotate ${name}` })
      .getByRole("button", { name: "Rotate" })
      .click();
    await page.getByText("No API key fits the filter").waitFor();
    const dialog = page.getByRole("dialog", { name: `New key for ${name}` });
    const secret = await dialog.getByLabel("API key", { exact: true }).inputValue();
    expect((await ask(description, { path: "/platform/session", bearer: secret })).body).toMatchObject({ name });
    await dialog.getByRole("button", { name: "Close without copying" }).click();
    expect(await page.content()).not.toContain(secret);
  });

  it("find what was done in the audit log, and save it as a file", async () => {
    await tab("Audit log").click();
    await page.getByLabel("Action", { exact: true }).fill("identity.api_key.revoked");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByRole("link", { name: "identity.api_key.revoked" }).first().waitFor();
    expect(page.url()).toContain("action=identity.api_key.revoked");
    await page.getByRole("button", { name: "Export" }).click();
    const dialog = page.getByRole("dialog", { name: "Export the audit log" });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      dialog.getByRole("button", { name: "Export" }).click(),
    ]);
    const lines = (await readFile(await file.path(), "utf8")).trim().split("\n");
    expect(new Set(lines.map((line) => JSON.parse(line).action))).toEqual(new Set(["identity.api_key.revoked"]));
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  it("show quotas with what is used of them", async () => {
    await tab("Quotas").click();
    await page
      .getByRole("row", { name: /^Members/ })
      .getByText("10,000")
      .waitFor();
  });

  it("find a member by their name from anywhere", async () => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).fill(mark);
    await page.getByRole("option", { name: memberName }).click();
    await page.getByRole("heading", { name: memberName, level: 1 }).waitFor();
  });
});

describe("features in the console", () => {
  it("are created and changed, version by version", async () => {
    await goTo("/features");
    await page.getByRole("button", { name: "New feature" }).click();
    const dialog = page.getByRole("dialog", { name: "New feature" });
    await dialog.getByLabel("Key").fill(featureKey);
    await dialog.getByLabel("Description").fill("Mean width of the strokes");
    await dialog.getByRole("button", { name: "Create feature" }).click();
    await page.getByRole("heading", { name: featureKey, level: 1 }).waitFor();
    await page.getByLabel("Usage notes").fill("In pixels");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByText(`Version 2 of ${featureKey} is saved.`).waitFor();
  });

  it("say before a deletion what uses them and what it would do", async () => {
    await goTo(`/features/${description.feature_key}`);
    await page.getByRole("button", { name: "Deprecate or delete" }).click();
    const dialog = page.getByRole("dialog", { name: `Deprecate ${description.feature_key}` });
    await dialog.getByText("1 asset uses the feature").waitFor();
    await dialog.getByText("Explain the samples").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  it("are deprecated, restored, and deleted when nothing uses them", async () => {
    await goTo(`/features/${featureKey}`);
    await page.getByRole("button", { name: "Deprecate or delete" }).click();
    await page.getByLabel("Deprecate it only").check();
    await page.getByRole("dialog", { name: "Deprecate" }).getByRole("button", { name: "Deprecate" }).click();
    await page.getByRole("button", { name: "Restore" }).click();
    await page.getByRole("dialog", { name: "Restore" }).getByRole("button", { name: "Restore" }).click();
    await page.getByRole("button", { name: "Deprecate or delete" }).click();
    await page
      .getByRole("dialog", { name: `Delete ${featureKey}` })
      .getByRole("button", { name: "Delete" })
      .click();
    await page.getByRole("heading", { name: "Features", level: 1 }).waitFor();
  });
});

describe("drafts in the console", () => {
  it("are written to members who are found by name", async () => {
    await goTo("/drafts/new");
    await page.getByLabel("Subject").fill(`News ${mark} for {{ member.display_name }}`);
    await page.getByLabel("Text").fill("Dear {{ member.display_name }}");
    await page.getByLabel("Find a member").fill("administrator");
    await page.getByRole("button", { name: "Add Demo administrator" }).click();
    await page.getByLabel("Find a member").fill(mark);
    await page.getByRole("button", { name: `Add ${memberName}` }).click();
    await page.getByRole("button", { name: "Create draft" }).click();
    await page.getByText(`News ${mark} for Demo administrator`).waitFor();
  });

  it("name their recipients before they are sent, and say afterwards what became of each", async () => {
    await page.getByRole("button", { name: "Send" }).click();
    const dialog = page.getByRole("dialog", { name: "Send" });
    await dialog.getByText("1 not active").waitFor();
    await dialog.getByRole("button", { name: "Send to 2 recipients" }).click();
    const deliveries = page.getByRole("table", { name: "Deliveries" });
    await deliveries.getByRole("row", { name: "Demo administrator" }).getByText("sent").waitFor();
    await deliveries.getByRole("row", { name: memberName }).getByText("not an active member").waitFor();
  });

  it("show the deliveries of one state, which the address says", async () => {
    await page.getByLabel("State", { exact: true }).selectOption("skipped");
    const deliveries = page.getByRole("table", { name: "Deliveries" });
    await deliveries.getByRole("row", { name: "Demo administrator" }).waitFor({ state: "detached" });
    // The table is away while it is read, too: what is wanted is that it comes back with one alone.
    await deliveries.getByRole("row", { name: memberName }).waitFor();
    expect(await deliveries.getByRole("row", { name: "Demo administrator" }).count()).toBe(0);
    expect(page.url()).toContain("state=skipped");
  });
});

describe("each of these screens", () => {
  it.each([
    "/people/members",
    "/people/roles",
    "/people/roles/new",
    "/people/keys",
    "/people/accounts",
    "/people/workspaces",
    "/people/quotas",
    "/people/audit",
    "/features",
    "/drafts",
    "/drafts/new",
  ])("can be used with assistive technology, in both themes: %s", async (path) => {
    await goTo(path);
    expect(await faultsInBothThemes(page)).toEqual([]);
  });

  it("breaks no rule of its policy, and leaves no error uncaught", () => {
    expect(opened.faults).toEqual([]);
  });
});
