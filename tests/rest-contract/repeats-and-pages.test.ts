import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Answer, ask } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

const wanted = () => ({
  name: "Reviewer",
  slug: `reviewer-${randomUUID().slice(0, 8)}`,
  permission_ids: ["metrics:read"],
});

const createRole = (body: unknown, key?: string) =>
  ask(platform, {
    path: "/organisations/roles/",
    body,
    headers: key === undefined ? {} : { "idempotency-key": key },
  });

const repeated = ({ headers }: Answer) => headers.get("idempotency-replayed");

describe("a request with an Idempotency-Key", () => {
  it("is answered the same when it is repeated, and the repeat says so", async () => {
    const [body, key] = [wanted(), randomUUID()];
    const first = await createRole(body, key);
    const second = await createRole(body, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect([repeated(first), repeated(second)]).toEqual([null, "true"]);
    expect(second.text).toBe(first.text);
    expect(first.body).toMatchObject({ ...body, is_system: false });
  });

  it("is the same request in another spelling of its JSON", async () => {
    const [body, key] = [wanted(), randomUUID()];
    const first = await createRole(body, key);
    const { name, slug, permission_ids } = body;
    const second = await createRole(JSON.stringify({ permission_ids, slug, name, more: 1 }, undefined, 2), key);
    expect([repeated(second), second.body.id]).toEqual(["true", first.body.id]);
  });

  it("is refused at the header when the key was another request's", async () => {
    const [body, key] = [wanted(), randomUUID()];
    await createRole(body, key);
    const { status, body: answer } = await createRole({ ...body, name: "Auditor" }, key);
    expect([status, answer.detail]).toEqual([
      422,
      [
        {
          type: "idempotency_key_reused",
          loc: ["header", "Idempotency-Key"],
          msg: "this idempotency key was already used for a different request",
          input: key,
        },
      ],
    ]);
  });

  it("is refused for another credential of the organisation, which is not given the answer", async () => {
    const [body, key] = [wanted(), randomUUID()];
    const first = await createRole(body, key);
    const other = await ask(platform, {
      path: "/platform/api-keys",
      body: { name: "Another", permission_ids: ["roles:manage", "metrics:read"] },
    });
    const headers = { "idempotency-key": key };
    const again = await ask(platform, { path: "/organisations/roles/", body, headers, bearer: other.body.secret });
    expect([first.status, again.status, again.body.detail[0].type]).toEqual([201, 422, "idempotency_key_reused"]);
    expect(again.text).not.toContain(first.body.id);
  });

  it("is refused at the header when the key is too long, together with what else is wrong", async () => {
    const { status, body } = await createRole({ ...wanted(), slug: "No" }, "k".repeat(256));
    expect([status, body.detail.map(({ loc, type }: { loc: unknown; type: string }) => [loc, type])]).toEqual([
      422,
      [
        [["header", "Idempotency-Key"], "string_too_long"],
        [["body", "slug"], "string_pattern_mismatch"],
      ],
    ]);
  });

  it("makes one role when twenty of it arrive together; the others are told that it is being made", async () => {
    const [body, key] = [wanted(), randomUUID()];
    const answers = await Promise.all(Array.from({ length: 20 }, () => createRole(body, key)));
    const made = answers.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ body: role }) => role.id)).size).toBe(1);
    expect(made.filter((answer) => repeated(answer) === null)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect([answer.status, answer.body.code]).toEqual([409, "request_in_flight"]);
    }
  });

  it("that is refused can be sent again", async () => {
    const [body, key] = [wanted(), randomUUID()];
    const refused = await createRole({ ...body, slug: "administrator" }, key);
    expect([refused.status, refused.body.code]).toEqual([409, "slug_taken"]);
    const made = await createRole(body, key);
    expect([made.status, repeated(made)]).toEqual([201, null]);
  });
});

describe("a list", () => {
  it("is read to its end by its links, each item once", async () => {
    const made = new Set<string>();
    for (let i = 0; i < 5; i++) made.add((await createRole(wanted())).body.id);
    const all = (await ask(platform, { path: "/platform/roles" })).body.map(({ id }: { id: string }) => id);
    const read: string[] = [];
    let pages = 0;
    for (let path: string | undefined = "/platform/roles?limit=4&limit=3"; path !== undefined; pages++) {
      const page: Answer = await ask(platform, { path });
      read.push(...page.body.map(({ id }: { id: string }) => id));
      path = /^<(\/platform\/roles\?limit=4&limit=3&cursor=[^>]+)>; rel="next"$/.exec(
        page.headers.get("link") ?? "",
      )?.[1];
    }
    expect(read).toEqual(all);
    expect(read).toEqual(expect.arrayContaining([...made]));
    expect(pages).toBe(Math.ceil(all.length / 3));
  });

  it("refuses a cursor that it has never given out, where it stands", async () => {
    const { status, body } = await ask(platform, { path: "/platform/roles?cursor=bm9uZQ" });
    expect([status, body.detail[0].loc, body.detail[0].input]).toEqual([422, ["query", "cursor"], "bm9uZQ"]);
  });
});
