import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Answer, type Ask, ask, type Json, until } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform((running) => {
  platform = running.description;
});

const path = (datasetId: string, query = "") => `/data-dictionary/${datasetId}/${query}`;
const ownPath = (datasetId: string, rest = "") => `/platform/data-dictionary/${datasetId}${rest}`;

/** As the organisation's administrator, unless something else is said. */
const patch = (datasetId: string, body: unknown, o: { query?: string } & Omit<Ask, "path" | "body"> = {}) => {
  const { query = "", ...more } = o;
  return ask(platform, { method: "PATCH", path: path(datasetId, query), body, ...more });
};
const byKey = (): Pick<Ask, "bearer"> => ({ bearer: platform.api_key });

async function newDataset(...columns: string[]): Promise<string> {
  const body = { name: "sales", columns: columns.map((name) => ({ name })) };
  const answer = await ask(platform, { path: "/platform/datasets", body });
  if (answer.status !== 201) throw new Error(`the dataset was answered ${answer.status}: ${answer.text}`);
  return answer.body.id;
}
const entry = (name: string, description = "") => ({ name, description });
const tagOf = ({ headers }: Answer) => headers.get("etag") ?? "";

describe("PATCH /data-dictionary/{dataset_id}/", () => {
  it("answers the whole dictionary as a bare array of names and descriptions, and its ETag", async () => {
    const id = await newDataset("price", "qty");
    const answer = await patch(id, [entry("qty", "pieces"), entry("note", "free text")]);
    expect([answer.status, answer.body]).toEqual([
      200,
      [entry("price"), entry("qty", "pieces"), entry("note", "free text")],
    ]);
    expect(tagOf(answer)).toMatch(/^"[^"]+"$/);
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  it("is answered without its trailing slash as well", async () => {
    const id = await newDataset("a");
    const answer = await ask(platform, { method: "PATCH", path: `/data-dictionary/${id}`, body: [] });
    expect([answer.status, answer.body]).toEqual([200, [entry("a")]]);
  });

  it("with an empty array changes nothing and answers everything", async () => {
    const id = await newDataset("a");
    const before = await ask(platform, { path: ownPath(id) });
    const answer = await patch(id, []);
    expect([answer.status, answer.body, tagOf(answer)]).toEqual([200, [entry("a")], tagOf(before)]);
  });

  it("refuses a name that stands in the body twice, at the second place", async () => {
    const id = await newDataset("a");
    const answer = await patch(id, [entry("b"), entry("a"), entry("b", "again")]);
    expect([answer.status, answer.body.detail]).toEqual([
      422,
      [
        {
          type: "name_repeated",
          loc: ["body", 2, "name"],
          msg: "the name stands at 0 already",
          input: "b",
        },
      ],
    ]);
  });

  it("lists every problem of its body and its query", async () => {
    const id = await newDataset("a");
    const body = [entry(""), { name: "b" }, entry("c".repeat(256)), entry("d", "x".repeat(10_001))];
    const { status, body: answer } = await patch(id, body, { query: "?override=maybe" });
    expect([status, answer.detail.map(({ loc, type }: Json) => [loc, type])]).toEqual([
      422,
      [
        [["query", "override"], "bool_parsing"],
        [["body", 0, "name"], "string_too_short"],
        [["body", 1, "description"], "missing"],
        [["body", 2, "name"], "string_too_long"],
        [["body", 3, "description"], "string_too_long"],
      ],
    ]);
  });

  it("takes five thousand entries, and no more", async () => {
    const id = await newDataset();
    const entries = Array.from({ length: 5_000 }, (_, index) => entry(`column ${index}`, `means ${index}`));
    const answer = await patch(id, entries);
    expect([answer.status, answer.body]).toEqual([200, entries]);
    const more = await patch(id, [...entries, entry("one more")]);
    expect([more.status, more.body.detail[0].type, more.body.detail[0].loc]).toEqual([422, "too_long", ["body"]]);
  });

  it.each([
    ["no id", () => "no-id"],
    ["an unknown id", () => randomUUID()],
  ])("of %s is answered 404", async (_, datasetId) => {
    const answer = await patch(datasetId(), [entry("a")]);
    expect([answer.status, answer.body]).toEqual([404, { detail: "Not found" }]);
  });

  it("of another organisation's dataset is answered 404, in whatever way", async () => {
    const id = await newDataset("a");
    const { bearer } = platform.foreign;
    for (const other of [
      await patch(id, [entry("a", "theirs")], { bearer }),
      await ask(platform, { path: ownPath(id), bearer }),
      await ask(platform, { path: ownPath(id, "/history"), bearer }),
      await ask(platform, { method: "DELETE", path: ownPath(id, "/entries/a"), bearer }),
    ]) {
      expect([other.status, other.body]).toEqual([404, { detail: "Not found" }]);
    }
    expect((await ask(platform, { path: ownPath(id) })).body).toEqual([entry("a")]);
  });

  it("without a credential is answered 401, and without the permission 403", async () => {
    const id = await newDataset("a");
    expect((await patch(id, [], { bearer: null })).status).toBe(401);
    const wanted = { name: "reader", permission_ids: ["dictionary:read"] };
    const { secret } = (await ask(platform, { path: "/platform/api-keys", body: wanted })).body;
    const refused = await patch(id, [], { bearer: secret });
    expect([refused.status, refused.body.detail]).toEqual([403, "Missing permission: dictionary:write"]);
    expect((await ask(platform, { path: ownPath(id), bearer: secret })).status).toBe(200);
  });

  it("answers what would be with dry_run, and changes nothing", async () => {
    const id = await newDataset("a");
    const dry = await patch(id, [entry("a", "new")], { query: "?dry_run=true" });
    expect([dry.status, dry.body]).toEqual([200, [entry("a", "new")]]);
    const after = await ask(platform, { path: ownPath(id) });
    expect([after.body, tagOf(after)]).toEqual([[entry("a")], tagOf(dry)]);
  });

  it("keeps what a person wrote when an API key writes, unless it says override", async () => {
    const id = await newDataset("a");
    await patch(id, [entry("a", "a person's")]);
    const kept = await patch(id, [entry("a", "a program's"), entry("b", "a program's")], byKey());
    expect(kept.body).toEqual([entry("a", "a person's"), entry("b", "a program's")]);
    const replaced = await patch(id, [entry("a", "a program's")], { ...byKey(), query: "?override=true" });
    expect(replaced.body).toEqual([entry("a", "a program's"), entry("b", "a program's")]);
  });
});

describe("the ETag of a dictionary", () => {
  it("spares reading again what is known", async () => {
    const id = await newDataset("a");
    const first = await ask(platform, { path: ownPath(id) });
    const headers = { "if-none-match": tagOf(first) };
    const second = await ask(platform, { path: ownPath(id), headers });
    expect([second.status, second.text, tagOf(second)]).toEqual([304, "", tagOf(first)]);
    await patch(id, [entry("a", "new")]);
    const third = await ask(platform, { path: ownPath(id), headers });
    expect([third.status, third.body]).toEqual([200, [entry("a", "new")]]);
  });

  it("lets a write through while it is the dictionary's, and is answered 412 afterwards", async () => {
    const id = await newDataset("a");
    const headers = { "if-match": tagOf(await ask(platform, { path: ownPath(id) })) };
    const first = await patch(id, [entry("a", "first")], { headers });
    expect(first.status).toBe(200);
    for (const late of [
      await patch(id, [entry("a", "second")], { headers }),
      await ask(platform, { method: "DELETE", path: ownPath(id, "/entries/a"), headers }),
    ]) {
      expect([late.status, late.body.code]).toEqual([412, "etag_mismatch"]);
    }
    expect((await patch(id, [entry("a", "second")], { headers: { "if-match": tagOf(first) } })).status).toBe(200);
    expect((await patch(id, [entry("a", "third")], { headers: { "if-match": "*" } })).status).toBe(200);
  });
});

describe("deleting an entry", () => {
  it("takes the percent-decoded name, and answers the rest", async () => {
    const name = "a/b c?ü%2F";
    const id = await newDataset(name, "kept");
    const answer = await ask(platform, {
      method: "DELETE",
      path: ownPath(id, `/entries/${encodeURIComponent(name)}`),
    });
    expect([answer.status, answer.body]).toEqual([200, [entry("kept")]]);
    const again = await ask(platform, {
      method: "DELETE",
      path: ownPath(id, `/entries/${encodeURIComponent(name)}`),
    });
    expect([again.status, again.body]).toEqual([404, { detail: "Not found" }]);
  });

  it("of a person's text is not for an API key, unless it says override", async () => {
    const id = await newDataset("a");
    await patch(id, [entry("a", "a person's")]);
    const remove = (query: string) =>
      ask(platform, { method: "DELETE", path: ownPath(id, `/entries/a${query}`), ...byKey() });
    const refused = await remove("");
    expect([refused.status, refused.body.code]).toEqual([409, "text_of_a_person"]);
    expect((await remove("?override=true")).body).toEqual([]);
  });
});

describe("the history of a dictionary", () => {
  it("says by whom each entry was written, newest first, page by page", async () => {
    const id = await newDataset("a");
    await patch(id, [entry("a", "a program's")], byKey());
    await patch(id, [entry("a", "a person's")]);
    const first = await ask(platform, { path: ownPath(id, "/history?limit=2&name=a") });
    expect(first.body).toMatchObject([
      { name: "a", previous_description: "a program's", description: "a person's", author_kind: "person", version: 3 },
      { name: "a", previous_description: "", description: "a program's", author_kind: "program", version: 2 },
    ]);
    expect(first.body[0].author_member_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first.body[1].author_member_id).toBeNull();
    const next = /^<([^>]+)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    const second = await ask(platform, { path: next });
    expect(second.body).toMatchObject([{ name: "a", previous_description: null, description: "", version: 1 }]);
    expect(second.headers.get("link")).toBeNull();
  });
});

describe("datasets", () => {
  let id: string;
  beforeAll(async () => {
    id = await newDataset("id");
  });

  it("take their columns from a sample", async () => {
    const sample = Buffer.from("id,price,sold at\n1,2.5,2026-01-01T10:00:00Z\n").toString("base64");
    const body = { format: "csv", sample };
    const answer = await ask(platform, { path: `/platform/datasets/${id}/columns`, body });
    expect([answer.status, answer.body.columns]).toEqual([
      200,
      [
        { name: "id", type: "integer" },
        { name: "price", type: "number" },
        { name: "sold at", type: "date_time" },
      ],
    ]);
    expect((await ask(platform, { path: ownPath(id) })).body).toEqual(
      ["id", "price", "sold at"].map((name) => entry(name)),
    );
  });

  it("say what is wrong with a sample, where it stands", async () => {
    const body = { format: "csv", sample: Buffer.from("a,,a\n").toString("base64") };
    const answer = await ask(platform, { path: `/platform/datasets/${id}/columns`, body });
    expect([answer.status, answer.body.detail.map(({ loc, type, msg }: Json) => [loc, type, msg])]).toEqual([
      422,
      [
        [["body", "sample"], "sample_unreadable", "Column 2 has no name"],
        [["body", "sample"], "sample_unreadable", "Column 3 has the name of column 1"],
      ],
    ]);
  });

  it("refuse a column that is there already, where it stands", async () => {
    const body = { name: "sales", columns: [{ name: "a" }, { name: "a" }] };
    const answer = await ask(platform, { path: "/platform/datasets", body });
    expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ["body", "columns", 1, "name"]]);
  });

  it("are assets of the organisation, and no longer are when they are deleted", async () => {
    const asset = async () => {
      const all: Json[] = (await ask(platform, { path: "/platform/assets?limit=1000" })).body;
      return all.find((each) => each.id === id);
    };
    const known = await until("the dataset to be an asset", 20, asset, (seen) => seen !== undefined);
    expect(known).toMatchObject({ name: "sales", kind: "dataset", owner: "content", dataset_ids: [id] });
    const deleted = await ask(platform, { method: "DELETE", path: `/platform/datasets/${id}` });
    expect([deleted.status, deleted.body.id]).toEqual([200, id]);
    expect((await patch(id, [])).status).toBe(404);
    await until("the asset to be gone", 20, asset, (seen) => seen === undefined);
  });
});
