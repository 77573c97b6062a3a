import { InvalidFieldsError } from "@aiplatform/service-host";
import { threadCpuMs } from "@aiplatform/testkit/thread-cpu";
import { describe, expect, it } from "vitest";
import { type AutomationDraft, contentOf, type DraftStep, isSameContent, readDraft } from "./automation-draft.ts";

const [made, later] = [new Date(1_000), new Date(2_000)];

const step = (key: string, text = "Hello", more: Partial<DraftStep> = {}): DraftStep => ({
  key,
  name: key.toUpperCase(),
  promptTemplate: JSON.stringify({ type: "prompt", text }),
  templateField: "prompt_template",
  featureKeys: [],
  ...more,
});

const chain = (...steps: DraftStep[]): AutomationDraft => ({
  steps,
  transitions: steps
    .slice(1)
    .map(({ key: target }, index) => ({ source: steps[index]?.key ?? "", target, label: "ok" })),
  trigger: undefined,
});

function refusedAt(draft: AutomationDraft): string[] {
  try {
    readDraft(draft);
  } catch (error) {
    if (error instanceof InvalidFieldsError) return error.violations.map(({ field, reason }) => `${field} ${reason}`);
    throw error;
  }
  return [];
}

const template = (value: unknown) => refusedAt(chain(step("a", "", { promptTemplate: JSON.stringify(value) })));

describe("a draft", () => {
  it("uses the features that its steps name and those that its templates read", () => {
    const read = readDraft(
      chain(step("a", "{{ features.age }} {{ x }}", { featureKeys: ["b", "a"] }), step("b", "{{ features.b }}")),
    );
    expect(read.featureKeys).toEqual(["a", "age", "b"]);
    expect(read.steps.map(({ featureKeys }) => featureKeys)).toEqual([["a", "age", "b"], ["b"]]);
    expect(read.variables).toEqual(["features.age", "features.b", "x"]);
  });

  it("may say more of a prompt than is known today", () => {
    expect(template({ type: "prompt", text: "x", temperature: 0.5, tools: { name: "m" } })).toEqual([]);
  });

  const place = "steps[0].prompt_template";
  it.each([
    ["without a type", {}, [`${place}.type MISSING`]],
    ["with a type that is no text", { type: 1 }, [`${place}.type STRING_TYPE`]],
    ["with an unknown type", { type: "pray" }, [`${place}.type LITERAL_ERROR`]],
    ["with the name of something inherited as its type", { type: "constructor" }, [`${place}.type LITERAL_ERROR`]],
    ["without a text", { type: "prompt" }, [`${place}.text MISSING`]],
    ["with a text that is none", { type: "prompt", text: null }, [`${place}.text STRING_TYPE`]],
    ["with an empty text", { type: "prompt", text: "" }, [`${place}.text STRING_TOO_SHORT`]],
    ["with a long text", { type: "prompt", text: "x".repeat(20_001) }, [`${place}.text STRING_TOO_LONG`]],
    ["with a template that cannot be read", { type: "prompt", text: "{{" }, [`${place}.text TEMPLATE_INVALID`]],
  ])("%s is refused at its place", (_, value, problems) => {
    expect(template(value)).toEqual(problems);
  });

  const view = { name: "t", dataset_id: "{{ steps.a.output.dataset_id }}", version_id: null };
  const query = (tables: unknown) => ({ type: "dataset", name: "n", sql: "SELECT 1", tables });
  const run = { type: "train", action: "start_run", pipeline_id: "p", jobs: [{ name: "j", configuration: {} }] };
  it.each([
    ["a table", query([view, { ...view, versionid: "v" }]), "tables[1].versionid"],
    ["a version that a run reads", { ...run, datasets: [{ ...view, number: 1 }] }, "datasets[0].number"],
    ["a table in another spelling", query([{ name: "t", datasetId: "d" }]), "tables[0].datasetId"],
  ])("is refused at a member that there is none of in %s", (_, value, field) => {
    expect(template(value)).toEqual([`${place}.${field} EXTRA_FORBIDDEN`]);
  });

  it("may leave tables and versions to what a run makes of templates", () => {
    expect(template(query("{{ input.tables }}"))).toEqual([]);
    expect(template(query([view, "{{ input.table }}"]))).toEqual([]);
    expect(template({ ...run, datasets: [view, "{{ input.version }}"] })).toEqual([]);
  });

  it("is refused with everything that is wrong at once", () => {
    const steps = [step("a", "{{"), step("a", "{% x %}", { featureKeys: ["ok", "", "k".repeat(256)] })];
    const transitions = [{ source: "a", target: "b", label: "ok" }];
    const trigger = { event: "training.job.won", when: "event.a ==", schedule: undefined };
    expect(refusedAt({ steps, transitions, trigger })).toEqual([
      "steps[1].key DUPLICATE_KEY",
      "step_transitions[0].target UNKNOWN_STEP",
      "steps[1].feature_keys[1] STRING_TOO_SHORT",
      "steps[1].feature_keys[2] STRING_TOO_LONG",
      "steps[0].prompt_template.text TEMPLATE_INVALID",
      "steps[1].prompt_template.text TEMPLATE_INVALID",
      "trigger.event UNKNOWN_EVENT",
      "trigger.when TEMPLATE_INVALID",
    ]);
  });

  it.each([
    ["prompt", { text: "x", model: 1, max_tokens: 0 }, ["model STRING_TYPE", "max_tokens GREATER_THAN_EQUAL"]],
    ["dictionary", { dataset_id: "" }, ["dataset_id STRING_TOO_SHORT", "entries MISSING"]],
    ["dictionary", { dataset_id: "d", entries: [{}, 1] }, ["entries[0].name MISSING", "entries[1] DICT_TYPE"]],
    ["dictionary", { dataset_id: "d", entries: "{{" }, ["entries TEMPLATE_INVALID"]],
    [
      "email",
      { subject: "{{", text: "x", recipient_member_ids: ["{{ x", 1] },
      ["subject TEMPLATE_INVALID", "recipient_member_ids[0] TEMPLATE_INVALID", "recipient_member_ids[1] STRING_TYPE"],
    ],
  ])("says what is wrong with a step of the kind %s", (type, members, problems) => {
    expect(template({ type, ...members })).toEqual(problems.map((problem) => `${place}.${problem}`));
  });

  it("knows what every template of a step reads, wherever in its JSON that is", () => {
    const entries = [{ name: "{{ input.name }}", description: "{{ features.age.description }}" }];
    const promptTemplate = JSON.stringify({ type: "dictionary", dataset_id: "{{ event.dataset_id }}", entries });
    const read = readDraft(chain(step("a", "", { promptTemplate })));
    expect(read.variables).toEqual(["event.dataset_id", "features.age.description", "input.name"]);
    expect(read.featureKeys).toEqual(["age"]);
  });

  it("has a bounded size", () => {
    const long = "x".repeat(20_000);
    const many = Array.from({ length: 60 }, (_, index) => step(`s${index}`, long));
    expect(refusedAt(chain(...many))).toEqual(["steps VERSION_TOO_LARGE"]);
    const keys = Array.from({ length: 501 }, (_, index) => `f${index}`);
    expect(refusedAt(chain(step("a", "x", { featureKeys: keys })))).toEqual(["steps VERSION_TOO_LARGE"]);
  });

  it.each([
    ["can be read", "a"],
    ["is refused after it was read", "features"],
  ])("is read for seconds at most, where what it holds %s", (_, last) => {
    const text = `{{ a | slice: ${"a,".repeat(4_900)}${last} }}`;
    const many = Array.from({ length: 40 }, (_step, index) => step(`s${index}`, text));
    let refused: string[] = [];
    const taken = threadCpuMs(() => {
      refused = refusedAt(chain(...many));
    });
    expect(refused).toEqual(
      many.flatMap((_step, index) =>
        index < 2 && last === "a" ? [] : [`steps[${index}].prompt_template.text TEMPLATE_INVALID`],
      ),
    );
    expect(taken).toBeLessThan(5_000);
  });
});

describe("the content of a version", () => {
  let count = 0;
  const newId = () => `id-${count++}`;
  const first = contentOf(readDraft(chain(step("a"), step("b"), step("c"))), [], { time: made, newId });

  it("is the same when the draft is", () => {
    const again = contentOf(readDraft(chain(step("a"), step("b"), step("c"))), [first], { time: later, newId });
    expect(again).toEqual(first);
    expect(isSameContent(first, again)).toBe(true);
  });

  it.each([
    ["another text", chain(step("a"), step("b", "Bye"), step("c"))],
    ["another name", chain(step("a"), step("b", "Hello", { name: "Other" }), step("c"))],
    ["another feature", chain(step("a"), step("b", "Hello", { featureKeys: ["f"] }), step("c"))],
    ["a step less", chain(step("a"), step("b"))],
    ["another order", { ...chain(step("a"), step("b"), step("c")), steps: [step("a"), step("c"), step("b")] }],
    [
      "a transition more",
      {
        ...chain(step("a"), step("b"), step("c")),
        trigger: undefined,
        transitions: [
          { source: "a", target: "b", label: "ok" },
          { source: "b", target: "c", label: "ok" },
          { source: "a", target: "c", label: "no" },
        ],
      },
    ],
  ])("is another for %s", (_, draft) => {
    // At the very instant of the first: what changed must not be told by the time.
    expect(isSameContent(first, contentOf(readDraft(draft), [first], { time: made, newId }))).toBe(false);
  });

  it("keeps the ids of steps whose key stays and of their transitions, and the times of what is unchanged", () => {
    const draft = chain(step("a"), step("b", "Bye"), step("d"));
    const [a, b, d] = contentOf(readDraft(draft), [first], { time: later, newId }).steps;
    const { transitions } = contentOf(readDraft(draft), [first], { time: later, newId });
    expect(a).toEqual(first.steps[0]);
    expect(b).toMatchObject({ id: first.steps[1]?.id, createdAt: made, updatedAt: later });
    expect(first.steps.map(({ id }) => id)).not.toContain(d?.id);
    expect(d).toMatchObject({ createdAt: later, updatedAt: later });
    expect(transitions[0]).toEqual(first.transitions[0]);
    expect(transitions[1]?.id).not.toBe(first.transitions[1]?.id);
  });

  it("prefers the draft before it to what is published", () => {
    const draft = contentOf(readDraft(chain(step("a", "Draft"))), [first], { time: later, newId });
    const next = contentOf(readDraft(chain(step("a", "Draft"))), [draft, first], { time: later, newId });
    expect(isSameContent(draft, next)).toBe(true);
  });
});
