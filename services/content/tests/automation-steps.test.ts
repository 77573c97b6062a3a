import { randomUUID } from "node:crypto";
import { AutomationRunStatus } from "@aiplatform/contract/aiplatform/content/v1/automations";
import { DataDictionaryService } from "@aiplatform/contract/aiplatform/content/v1/data_dictionaries";
import { DatasetService } from "@aiplatform/contract/aiplatform/content/v1/datasets";
import { EmailDraftService } from "@aiplatform/contract/aiplatform/content/v1/email_drafts";
import { failureOf, type TestClient } from "@aiplatform/testkit";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { AutomationClient, outputOf, promptStep, type WrittenStep } from "./automation-client.ts";
import { ContentRig } from "./content-rig.ts";
import { IdentityBeside } from "./identity-beside.ts";
import { ModelServer } from "./model-server.ts";

const { SUCCEEDED, FAILED } = AutomationRunStatus;
const parts = new AsyncDisposableStack();
let model: ModelServer;
let rig: ContentRig;
let identity: IdentityBeside;
/** A caller that is a member who may do everything. */
let member: TestClient;
let automations: AutomationClient;

beforeAll(async () => {
  model = parts.use(await ModelServer.start());
  identity = parts.use(await IdentityBeside.start());
  const settings = { ...model.settings, ...identity.settings };
  rig = parts.use(await ContentRig.start({ settings }));
});
afterAll(async () => await parts.disposeAsync());

beforeEach(async () => {
  const { memberId } = await newMember();
  member = rig.as({ memberId });
  automations = new AutomationClient(member);
});

/** A member whose role opens writing dictionaries, drafts and automations. */
const newMember = () => identity.newMember(rig.acme, ["dictionary:write", "emails:write"]);

const newDataset = async () => {
  const columns = [{ name: "price" }, { name: "size" }];
  return (await member.client(DatasetService).createDataset({ name: "sales", columns })).dataset?.id ?? "";
};
const dictionaryOf = async (datasetId: string) => {
  const { entries } = await member.client(DataDictionaryService).getDataDictionary({ datasetId });
  return entries.map(({ name, description }) => [name, description]);
};
const run = async (input: unknown, ...steps: WrittenStep[]) =>
  automations.ran(await automations.published({ steps }), input);

const describing = (entries: unknown = [{ name: "price", description: "{{ input.text }}" }]): WrittenStep => ({
  key: "describe",
  json: { type: "dictionary", dataset_id: "{{ input.dataset_id }}", entries },
});
const mailing = (more: Record<string, unknown> = {}): WrittenStep => ({
  key: "mail",
  json: {
    type: "email",
    subject: "News of {{ input.name }}",
    text: "Dear {% raw %}{{ member.display_name }}{% endraw %}, {{ input.text }}",
    recipient_member_ids: ["{{ input.member_id }}"],
    ...more,
  },
});

describe("a dictionary step", () => {
  it("writes its entries as a program, and leaves what a person wrote", async () => {
    const datasetId = await newDataset();
    const by = { datasetId, entries: [{ name: "size", description: "in m²" }] };
    await member.client(DataDictionaryService).patchDataDictionary(by);
    const entries = [
      { name: "price", description: "{{ input.text }}" },
      { name: "size", description: "{{ input.text }}" },
    ];
    const ended = await run({ dataset_id: datasetId, text: "in EUR" }, describing(entries));
    expect(ended).toMatchObject({ status: SUCCEEDED });
    expect(outputOf(ended.steps[0])).toMatchObject({ dataset_id: datasetId, entries: 2 });
    expect(await dictionaryOf(datasetId)).toEqual([
      ["price", "in EUR"],
      ["size", "in m²"],
    ]);
  });

  it("writes what a model has made of a prompt", async () => {
    const datasetId = await newDataset();
    model.answer = () => '```json\n[{"name":"price","description":"{{ what it says }}"}]\n```';
    const ended = await run({ dataset_id: datasetId }, promptStep("ask"), describing("{{ steps.ask.output.text }}"));
    expect(ended).toMatchObject({ status: SUCCEEDED });
    expect(await dictionaryOf(datasetId)).toEqual([
      ["price", "{{ what it says }}"],
      ["size", ""],
    ]);
  });

  it.each([
    ["no dataset", { dataset_id: randomUUID(), text: "x" }, describing(), "There is no dataset"],
    ["no list", { dataset_id: "x", text: "not json" }, describing("{{ input.text }}"), "did not render a JSON list"],
    ["no name", { dataset_id: "x", text: '[{"name":1}]' }, describing("{{ input.text }}"), "An entry's name must be"],
  ])("fails where there is %s", async (_, input, step, error) => {
    expect(await run(input, step)).toMatchObject({ status: FAILED, error: expect.stringContaining(error) });
  });
});

describe("an e-mail step", () => {
  const drafts = () => member.client(EmailDraftService);

  it("writes a draft and sends nothing; what it puts in is no template", async () => {
    const { memberId } = await newMember();
    const text = "{{ member.email }} {% if";
    const html = "<p>{{ input.text }}</p>";
    const ended = await run({ name: "<it>", text, member_id: memberId }, mailing({ html }));
    expect(ended).toMatchObject({ status: SUCCEEDED });
    const { draft_id: draftId } = outputOf(ended.steps[0]) as { draft_id: string };
    const { draft } = await drafts().getEmailDraft({ draftId });
    expect(draft).toMatchObject({ subject: "News of <it>", recipientMemberIds: [memberId] });
    expect(draft?.createdByMemberId).toBeUndefined();
    const { preview } = await drafts().previewEmailDraft({ draftId, memberId });
    expect(preview?.text).toBe(`Dear Ada, ${text}`);
    expect(preview?.html).toBe(`<p>${text}</p>`);
  });

  it("writes no second draft when it is executed again", async () => {
    const wanted = { name: "x", text: "x", member_id: randomUUID() };
    const ended = await run(wanted, mailing());
    const collection = rig.store.database.collection<{ _id: string }>("automation_runs");
    const begun = { "steps.0.status": "running", "steps.0.ended_at": null, "steps.0.output": null };
    const open = { status: "running", open: true, holder: "gone", due_at: new Date(0) };
    await collection.updateOne({ _id: ended.id }, { $set: { ...open, ...begun }, $unset: { ended_at: true } });
    const again = await automations.ended(ended.id);
    expect(again.steps[0]).toMatchObject({ status: SUCCEEDED, attempts: 2, output: ended.steps[0]?.output });
    const drafts = rig.store.database.collection("email_drafts");
    expect(await drafts.countDocuments({ recipient_member_ids: wanted.member_id })).toBe(1);
  });

  it.each([
    [
      "a template with an unknown variable",
      { subject: "{% raw %}{{ stranger }}{% endraw %}" },
      "subject: undefined variable: stranger",
    ],
    ["no subject", { subject: "{{ input.empty }}" }, "subject: it is empty"],
    ["too long a subject", { subject: "{{ input.long }}" }, "subject: it has more than 998 characters"],
    [
      "a recipient who is none",
      { recipient_member_ids: ["{{ input.text }}"] },
      'recipient_member_ids: "x" is not an id',
    ],
  ])("fails with %s", async (_, more, error) => {
    const input = { name: "x", text: "x", empty: "", long: "x".repeat(999), member_id: randomUUID() };
    expect(await run(input, mailing(more))).toMatchObject({ status: FAILED, error: expect.stringContaining(error) });
  });
});

describe("a step that needs a permission", () => {
  it("cannot be published by a member who lacks it", async () => {
    const permissions = ["automations:read", "automations:write", "automations:run", "emails:write"];
    const { memberId } = await newMember();
    const poor = new AutomationClient(rig.as({ memberId, permissions }));
    const refused = await failureOf(poor.published({ steps: [describing()] }));
    expect(refused).toMatchObject({ code: Code.PermissionDenied, metadata: { permission: "dictionary:write" } });
  });

  it("goes on when another version is published meanwhile, by what its publisher let it do", async () => {
    const datasetId = await newDataset();
    const held = Promise.withResolvers<string>();
    model.answer = () => held.promise;
    const automationId = await automations.published({ steps: [promptStep("wait"), describing()] });
    const runId = await automations.started(automationId, { dataset_id: datasetId, text: "in EUR" });
    const promptTemplate = { text: JSON.stringify(describing().json) };
    const again = async () => {
      await automations.client.saveAutomationDraft({
        automationId,
        steps: [{ key: "b", name: randomUUID(), promptTemplate }],
      });
      await automations.client.publishAutomation({ automationId, ifMatch: "*" });
      const versions = rig.store.database.collection("automation_versions");
      return versions.countDocuments({ automation_id: automationId, delegation_id: { $ne: null } });
    };
    expect(await again()).toBe(2);
    held.resolve("now");
    expect(await automations.ended(runId)).toMatchObject({ status: SUCCEEDED });
    expect((await dictionaryOf(datasetId))[0]).toEqual(["price", "in EUR"]);
    // The first version no longer runs, and neither does the second: only the newest version has a delegation.
    expect(await again()).toBe(1);
  });

  it("does nothing once its publisher may no longer do it", async () => {
    const { memberId, deactivate } = await newMember();
    const leaving = new AutomationClient(rig.as({ memberId }));
    const automationId = await leaving.published({ steps: [describing()] });
    await deactivate();
    const datasetId = await newDataset();
    const ended = await automations.ran(automationId, { dataset_id: datasetId, text: "in EUR" });
    const error = expect.stringContaining("delegation was revoked: publish it again");
    expect(ended).toMatchObject({ status: FAILED, error, steps: [{ attempts: 1 }] });
    expect(await dictionaryOf(datasetId)).toEqual([
      ["price", ""],
      ["size", ""],
    ]);
  });
});
