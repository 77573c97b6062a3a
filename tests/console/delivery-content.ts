import { type Description, until } from "@aiplatform/local-platform";
import { ask, type Json } from "../mesh/rest.ts";

const columns = [
  { name: "order_id", type: "integer" },
  { name: "placed_at", type: "date_time" },
  { name: "stops", type: "integer" },
  { name: "late", type: "boolean" },
  { name: "weight_kg", type: "number" },
  { name: "depot", type: "string" },
];

const transition = (source: string, target: string, label: string) => ({ source, target, label });
const prompt = (key: string, name: string, text: string) => ({ key, name, prompt_template: { type: "prompt", text } });

function draftOf(datasetId: string, memberId: string) {
  const entries = [{ name: "depot", description: "The depot that sent the order" }];
  const text = "Dear {% raw %}{{ member.display_name }}{% endraw %},\n\nsee the dashboard.";
  const mail = { type: "email", subject: "Orders of {{ input.week }}", text, recipient_member_ids: [memberId] };
  return {
    steps: [
      prompt("judge", "Judge the week", "Were {{ input.count }} late orders many in {{ input.week }}?\nanswer: many"),
      prompt("explain", "Explain", "In two sentences: why were {{ input.count }} orders late in {{ input.week }}?"),
      prompt("praise", "Praise the drivers", "Praise the drivers for {{ input.week }}."),
      {
        key: "describe",
        name: "Describe the depot",
        prompt_template: { type: "dictionary", dataset_id: datasetId, entries },
      },
      { key: "mail", name: "Draft the mail", prompt_template: mail },
    ],
    step_transitions: [
      transition("judge", "explain", "many"),
      transition("judge", "praise", "few"),
      transition("explain", "describe", "completed"),
      transition("praise", "mail", "completed"),
      transition("describe", "mail", "completed"),
      transition("explain", "mail", "failed"),
    ],
  };
}

/** What of it the screens of data and automations show. */
export interface DeliveryContent {
  datasetId: string;
  automationId: string;
  automationRunId: string;
}

/** Fills an organisation with a described dataset, and with an automation that has run. */
export async function fillDelivery(description: Description): Promise<DeliveryContent> {
  const told = async (path: string, request: object = {}): Promise<Json> => {
    const { status, text, body } = await ask(description, { path, ...request });
    if (status >= 300) throw new Error(`${path} was answered ${status}: ${text}`);
    return body;
  };
  const dataset = await told("/platform/datasets", {
    body: { name: "Delivery orders", description: "One row for each order of the parcel service", columns },
  });
  const entries = [
    { name: "stops", description: "Stops on the route, the depot not counted" },
    { name: "late", description: "Delivered after the promised hour" },
  ];
  await told(`/data-dictionary/${dataset.id}/`, { method: "PATCH", body: entries });
  const automation = await told("/platform/automations", {
    body: { name: "Weekly note", description: "Explains late orders, and drafts a mail about them" },
  });
  const member = await told("/platform/members/me");
  const path = `/platform/automations/${automation.id}`;
  await told(`${path}/draft`, { method: "PUT", body: draftOf(dataset.id, member.id) });
  await told(`${path}/publish`, { method: "POST", headers: { "if-match": "*" } });
  const run = await told(`${path}/runs`, { body: { input: { week: "2026-W09", count: 42 } } });
  const ended = async () => (await told(`/platform/automation-runs/${run.id}`)).ended_at ?? undefined;
  await until(ended, { withinMs: 60_000, otherwise: () => new Error("the run of the automation does not end") });
  return { datasetId: dataset.id, automationId: automation.id, automationRunId: run.id };
}
