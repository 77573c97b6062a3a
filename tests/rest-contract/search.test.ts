import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

/** A word that nothing else has. */
const word = `w${randomUUID().slice(0, 8)}`;
const made: Record<string, Json> = {};

async function post(path: string, body: object): Promise<Json> {
  const answer = await ask(platform, { path, body });
  expect([path, answer.status]).toEqual([path, 201]);
  return answer.body;
}

const find = async (query: string, bearer: string = platform.bearer) =>
  await ask(platform, { path: `/platform/search?${query}`, bearer });
const kindsOf = ({ body }: Json) => body.results.map(({ kind }: Json) => kind);

beforeAll(async () => {
  const email = `${word}@people.test`;
  made["member"] = await post("/platform/members", { member: { display_name: "Ada", email }, role_ids: [] });
  made["dataset"] = await post("/platform/datasets", { name: "Sales", columns: [{ name: `${word}_price` }] });
  made["email_draft"] = await post("/platform/email-drafts", { subject: "News", text: `about ${word}` });
  made["automation"] = await post("/platform/automations", { name: `Retrain ${word.toUpperCase()}` });
  made["model"] = await post("/platform/models", { name: `${word} model`, description: "Digits" });
  made["pipeline"] = await post("/platform/pipelines", {
    name: "Churn",
    description: `${"Long ".repeat(80)}${word}s of 2026`,
  });
  const run = { name: "First try", jobs: [{ name: "train" }], tags: { team: word } };
  made["run"] = await post(`/platform/pipelines/${made["pipeline"].id}/runs`, run);
});

describe("a search", () => {
  it("finds the names and texts of all services, the newest first, with the path to read each", async () => {
    const { status, body } = await find(`q=${word}`);
    expect([status, body.missing_kinds, Object.keys(body)]).toEqual([200, [], ["results", "missing_kinds"]]);
    const newestFirst = ["run", "pipeline", "model", "automation", "email_draft", "member", "dictionary_entry"];
    expect(kindsOf({ body })).toEqual(newestFirst);
    for (const { kind, id, path } of body.results.slice(0, -1)) {
      expect(id).toBe(made[kind].id);
      expect(await ask(platform, { path })).toMatchObject({ status: 200, body: { id } });
    }
    const [{ text }] = body.results.filter(({ kind }: Json) => kind === "pipeline");
    expect(text).toMatch(new RegExp(`^….*Long ${word}s of 2026$`));
    expect(body.results.at(-1)).toMatchObject({
      name: `${word}_price`,
      path: `/platform/data-dictionary/${made["dataset"].id}`,
      created_at: null,
    });
  });

  it("comes in pages that join, and of the kinds that are asked for", async () => {
    const whole = kindsOf(await find(`q=${word}`));
    const seen: string[] = [];
    for (let path = `/platform/search?q=${word}&limit=2`; path !== ""; ) {
      const page = await ask(platform, { path });
      seen.push(...kindsOf(page));
      path = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    }
    expect(seen).toEqual(whole);
    expect(kindsOf(await find(`q=${word}&kinds=model&kinds=run`))).toEqual(["run", "model"]);
  });

  it.each([
    ["the beginning of a word, in capitals", () => word.slice(0, 7).toUpperCase(), ["run", "pipeline"]],
    ["a word of the text beside one of the name", () => `${word} churn`, ["pipeline"]],
    ["words of which one is missing", () => `${word} nowhere${word}`, []],
    ["the end of a word", () => word.slice(1), []],
  ])("finds by %s", async (_what, q, kinds) => {
    const found = await find(`q=${encodeURIComponent(q())}&kinds=run&kinds=pipeline`);
    expect(kindsOf(found)).toEqual(kinds);
  });

  it.each([
    ["no word", "q=%24%20.*", ["query", "q"]],
    ["more than eight words", "q=a+b+c+d+e+f+g+h+i", ["query", "q"]],
    ["no text", "", ["query", "q"]],
    ["a kind that is none", "q=a&kinds=car", ["query", "kinds", 0]],
    ["the cursor of another list", "q=a&cursor=WyJhIl0", ["query", "cursor"]],
  ])("is refused for %s, where it is", async (_what, query, loc) => {
    const { status, body } = await find(query);
    expect([status, body.detail?.[0]?.loc]).toEqual([422, loc]);
  });

  it("leaves out what is archived, unless that is asked for", async () => {
    const archived = await post("/platform/pipelines", { name: `Old ${word}` });
    await ask(platform, { method: "POST", path: `/platform/pipelines/${archived.id}/archive` });
    const query = `q=old+${word}&kinds=pipeline`;
    expect(kindsOf(await find(query))).toEqual([]);
    expect(kindsOf(await find(`${query}&include_archived=true`))).toEqual(["pipeline"]);
  });

  it("finds by what a text says now", async () => {
    const pipeline = await post("/platform/pipelines", { name: `Before${word}` });
    const path = `/platform/pipelines/${pipeline.id}`;
    await ask(platform, { method: "PATCH", path, body: { name: `After${word}` } });
    expect(kindsOf(await find(`q=before${word}`))).toEqual([]);
    expect(kindsOf(await find(`q=after${word}`))).toEqual(["pipeline"]);
    await ask(platform, { method: "DELETE", path });
    expect(kindsOf(await find(`q=after${word}`))).toEqual([]);
  });

  it("finds nothing that the caller may not read, in no service", async () => {
    const key = await post("/platform/api-keys", { name: word, permission_ids: ["models:read", "dictionary:read"] });
    const found = await find(`q=${word}`, key.secret);
    expect(kindsOf(found)).toEqual(["model", "dictionary_entry"]);
    expect(found.headers.get("link")).toBeNull();
    expect(found.body.missing_kinds).toEqual([]);
  });

  it("finds nothing of another organisation", async () => {
    const { status, body } = await find(`q=${word}&include_archived=true`, platform.foreign.bearer);
    expect([status, body]).toEqual([200, { results: [], missing_kinds: [] }]);
  });
});
