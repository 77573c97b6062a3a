import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { type Answer, ask, type Json } from "../mesh/rest.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const notFound = [404, '{"detail":"Not found"}'];

const newSlug = () => `r-${randomUUID()}`;
const createRole = (body: Json, bearer?: string) =>
  ask(platform, { path: "/organisations/roles/", body, ...(bearer === undefined ? {} : { bearer }) });
const role = (change: Json = {}) => ({ name: "Role", slug: newSlug(), permission_ids: ["metrics:read"], ...change });
const newRole = async (change: Json = {}): Promise<Json> => (await createRole(role(change))).body;
const newKey = async (permission_ids: string[], more: Json = {}): Promise<Json> =>
  (await ask(platform, { path: "/platform/api-keys", body: { name: "key", permission_ids, ...more } })).body;
const newMember = async (change: Json = {}, role_ids: string[] = []): Promise<Json> => {
  const member = { display_name: "Grace", email: `${randomUUID()}@example.com`, ...change };
  return (await ask(platform, { path: "/platform/members", body: { member, role_ids } })).body;
};
/** Where each problem of a 422 stands, and its type. */
const problemsOf = ({ body }: Answer) =>
  body.detail.map(({ loc, type }: { loc: unknown[]; type: string }) => [loc.join("."), type]);

describe("creating a role", () => {
  it("answers 201 with every field of the specification and no other", async () => {
    const slug = newSlug();
    const permission_ids = ["training:command", "metrics:read", "training:command"];
    const answer = await createRole({ name: "  Data stewards ", slug, permission_ids, is_system: true });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("content-type")).toContain("application/json");
    expect(answer.body).toEqual({
      id: expect.stringMatching(uuid),
      organisation_id: platform.organisation_id,
      name: "Data stewards",
      slug,
      is_system: false,
      permission_ids: ["training:command", "metrics:read"],
    });
  });

  it("answers the path without its trailing slash as well", async () => {
    expect((await ask(platform, { path: "/organisations/roles", body: role({ permission_ids: [] }) })).status).toBe(
      201,
    );
  });

  it("answers 422 with each unknown permission where it stands", async () => {
    const answer = await createRole(role({ permission_ids: ["metrics:read", "metrics:forge", "", "metrics:forge"] }));
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual(
      [
        [1, "metrics:forge"],
        [2, ""],
        [3, "metrics:forge"],
      ].map(([index, input]) => ({
        type: "permission_unknown",
        loc: ["body", "permission_ids", index],
        msg: "is not a known permission",
        input,
      })),
    );
  });

  it.each<[string, Json, [string, string][]]>([
    [
      "nothing",
      {},
      [
        ["body.name", "missing"],
        ["body.slug", "missing"],
        ["body.permission_ids", "missing"],
      ],
    ],
    ["a name of blanks", role({ name: " \t " }), [["body.name", "string_too_short"]]],
    ["an empty name", role({ name: "" }), [["body.name", "string_too_short"]]],
    ["a name of 101 characters", role({ name: "x".repeat(101) }), [["body.name", "string_too_long"]]],
    ["a slug in capitals", role({ slug: "Reviewer" }), [["body.slug", "string_pattern_mismatch"]]],
    ["a slug of 64 characters", role({ slug: "x".repeat(64) }), [["body.slug", "string_pattern_mismatch"]]],
    ["null", role({ permission_ids: null }), [["body.permission_ids", "list_type"]]],
    ["a number among the permissions", role({ permission_ids: [1] }), [["body.permission_ids.0", "string_type"]]],
    [
      "a wrong slug and an unknown permission, which pydantic has no word for",
      role({ slug: "Reviewer", permission_ids: ["a:b"] }),
      [["body.slug", "string_pattern_mismatch"]],
    ],
    [
      "a blank name and an unknown permission",
      role({ name: " ", permission_ids: ["a:b"] }),
      [
        ["body.name", "string_too_short"],
        ["body.permission_ids.0", "permission_unknown"],
      ],
    ],
  ])("answers 422 for %s", async (_, body, problems) => {
    const answer = await createRole(body);
    expect([answer.status, problemsOf(answer)]).toEqual([422, problems]);
  });

  it("says in a header what FastAPI has no word for, beside what it refuses: it came to light in a second round", async () => {
    const { headers } = await createRole(role({ slug: "Reviewer", permission_ids: ["a:b"] }));
    expect(headers.get("x-error-hint")).toBe("Also wrong: body.permission_ids.0 (permission_unknown)");
  });

  it.each(["administrator", "viewer", "taken"])("answers 409 for a slug that is taken: %s", async (slug) => {
    if (slug === "taken") await createRole(role({ slug }));
    const { status, body } = await createRole(role({ slug }));
    expect([status, body]).toEqual([409, { detail: `The slug ${slug} is taken`, code: "slug_taken" }]);
  });

  it("answers 403 naming what the caller would grant and lacks", async () => {
    const { secret } = await newKey(["roles:manage", "metrics:read"]);
    const { status, body } = await createRole(role({ permission_ids: ["metrics:read", "training:override"] }), secret);
    expect([status, body.detail]).toEqual([403, "Missing permission: training:override"]);
  });

  it("answers 403 naming the permission that the operation needs", async () => {
    const { secret } = await newKey(["metrics:read"]);
    const { status, body } = await createRole(role(), secret);
    expect([status, body.detail]).toEqual([403, "Missing permission: roles:manage"]);
  });
});

describe("roles under our own paths", () => {
  it("answers the catalogue of permissions with what each opens", async () => {
    const { status, body } = await ask(platform, { path: "/platform/permissions" });
    expect(status).toBe(200);
    expect(body).toContainEqual({
      id: "training:override",
      rpcs: [
        "aiplatform.training.v1.ControlCommandService/CreateTrainingControlCommand",
        "aiplatform.training.v1.ControlCommandService/CommandJobs",
        "aiplatform.training.v1.ControlCommandService/PauseJob",
        "aiplatform.training.v1.SupervisionLeaseService/AcquireSupervisionLease",
      ],
    });
    expect(body.map(({ id }: Json) => id)).toEqual(body.map(({ id }: Json) => id).sort());
  });

  it("reads one role as the list has it", async () => {
    const { id } = await newRole();
    const [one, list] = await Promise.all([
      ask(platform, { path: `/platform/roles/${id.toUpperCase()}` }),
      ask(platform, { path: "/platform/roles" }),
    ]);
    expect([one.status, list.status]).toEqual([200, 200]);
    expect(list.body).toContainEqual(one.body);
    expect(list.body.slice(0, 5).every(({ is_system }: Json) => is_system)).toBe(true);
  });

  it("replaces name and permissions, and leaves the slug", async () => {
    const { id, slug } = await newRole();
    const body = { name: " Other ", permission_ids: [] };
    const changed = await ask(platform, { method: "PUT", path: `/platform/roles/${id}`, body });
    expect([changed.status, changed.body]).toEqual([
      200,
      { id, organisation_id: platform.organisation_id, name: "Other", slug, is_system: false, permission_ids: [] },
    ]);
  });

  it("answers 412 for a change of what someone else has changed since it was read", async () => {
    const { id } = await newRole();
    const path = `/platform/roles/${id}`;
    const etag = (await ask(platform, { path })).headers.get("etag") ?? "";
    const change = (name: string) =>
      ask(platform, { method: "PUT", path, headers: { "if-match": etag }, body: { name, permission_ids: [] } });
    expect((await change("First")).status).toBe(200);
    const late = await change("Second");
    expect([late.status, late.body.code]).toEqual([412, "etag_mismatch"]);
    expect((await ask(platform, { path, headers: { "if-none-match": etag } })).status).toBe(200);
  });

  it("deletes a role that no member holds, and answers 404 from then on", async () => {
    const { id } = await newRole();
    const path = `/platform/roles/${id}`;
    expect((await ask(platform, { method: "DELETE", path })).status).toBe(200);
    for (const method of ["DELETE", "GET"]) {
      const { status, text } = await ask(platform, { method, path });
      expect([status, text]).toEqual(notFound);
    }
  });

  it("answers 409 while a member holds the role", async () => {
    const { id } = await newRole();
    await newMember({}, [id]);
    const { status, body } = await ask(platform, { method: "DELETE", path: `/platform/roles/${id}` });
    expect([status, body]).toEqual([409, { detail: "A member holds the role", code: "role_in_use" }]);
  });

  it("answers 409 for a change of the system's", async () => {
    const { body: roles } = await ask(platform, { path: "/platform/roles?limit=1" });
    const path = `/platform/roles/${roles[0].id}`;
    const put = ask(platform, { method: "PUT", path, body: { name: "Mine", permission_ids: [] } });
    for (const { status, body } of [await put, await ask(platform, { method: "DELETE", path })]) {
      expect([status, body]).toEqual([409, { detail: "The role is the system's", code: "role_is_system" }]);
    }
  });

  it("answers another organisation's role as one that does not exist", async () => {
    const foreign = await createRole(role({ permission_ids: [] }), platform.foreign.bearer);
    const body = { name: "Ours", permission_ids: [] };
    for (const id of [foreign.body.id, randomUUID()]) {
      const path = `/platform/roles/${id}`;
      const calls = [{ path }, { path, method: "DELETE" }, { path, method: "PUT", body }];
      for (const answer of await Promise.all(calls.map((call) => ask(platform, call)))) {
        expect([answer.status, answer.text]).toEqual(notFound);
      }
    }
  });
});

describe("members", () => {
  it("are invited, deactivated and reactivated, every field present", async () => {
    const invited = await newMember({ display_name: "Grace", email: "Grace@Example.com" });
    expect(invited).toEqual({
      id: expect.stringMatching(uuid),
      organisation_id: platform.organisation_id,
      display_name: "Grace",
      email: "grace@example.com",
      issuer: "",
      subject: "",
      role_ids: [],
      status: "invited",
      created_at: expect.stringMatching(instant),
      last_seen_at: null,
      email_opted_out: false,
    });
    const path = `/platform/members/${invited.id}`;
    const step = async (name: string) => (await ask(platform, { method: "POST", path: `${path}/${name}` })).body;
    expect(await step("deactivate")).toEqual({ ...invited, status: "inactive" });
    expect(await step("reactivate")).toEqual(invited);
    expect((await ask(platform, { path })).body).toEqual(invited);
  });

  it("read themselves, and say for themselves whether they want e-mails", async () => {
    const me = "/platform/members/me";
    const wanting = (email_opted_out: unknown) =>
      ask(platform, { method: "PUT", path: `${me}/email-preference`, body: { email_opted_out } });
    const { body: before } = await ask(platform, { path: me });
    expect(before).toMatchObject({ email_opted_out: expect.any(Boolean), status: "active" });
    expect((await ask(platform, { path: `/platform/members/${before.id}` })).body).toEqual(before);
    for (const optedOut of [true, false]) {
      const { status, body } = await wanting(optedOut);
      expect([status, body.email_opted_out]).toEqual([200, optedOut]);
    }
    const { status, body } = await wanting("perhaps");
    expect([status, body.detail[0].loc]).toEqual([422, ["body", "email_opted_out"]]);
  });

  it("are not what a key is that acts for itself", async () => {
    const bearer = platform.api_key;
    const body = { email_opted_out: true };
    const calls = [
      { path: "/platform/members/me" },
      { path: "/platform/members/me/email-preference", method: "PUT", body },
    ];
    for (const call of calls) {
      const answer = await ask(platform, { ...call, bearer });
      expect([answer.status, answer.body.code]).toEqual([409, "caller_is_no_member"]);
    }
  });

  it("do not get roles that stand in the member, which was ignored: that is an unknown field", async () => {
    const { detail } = await newMember({ role_ids: [randomUUID()] });
    expect(detail).toMatchObject([{ type: "extra_forbidden", loc: ["body", "member", "role_ids"] }]);
  });

  it("answers 409 for an address that is taken", async () => {
    const { email } = await newMember();
    const body = { member: { display_name: "Again", email }, role_ids: [] };
    const answer = await ask(platform, { path: "/platform/members", body });
    expect([answer.status, answer.body.code]).toEqual([409, "member_taken"]);
  });

  it("answers 409 when no active administrator would be left", async () => {
    // Of the other organisation, which has one alone, whatever other files do.
    const { bearer } = platform.foreign;
    const { body: members } = await ask(platform, { path: "/platform/members", bearer });
    const administrators = members.filter(({ status, role_ids }: Json) => status === "active" && role_ids.length > 0);
    expect(administrators).toHaveLength(1);
    const path = `/platform/members/${administrators[0].id}`;
    const out = await ask(platform, { method: "POST", path: `${path}/deactivate`, bearer });
    const demoted = await ask(platform, { method: "PUT", path: `${path}/roles`, body: { role_ids: [] }, bearer });
    for (const { status, body } of [out, demoted]) {
      expect([status, body.code]).toEqual([409, "last_administrator"]);
    }
  });

  it("come in pages that a client walks by their links", async () => {
    for (let made = 0; made < 3; made++) await newMember();
    const { body: all } = await ask(platform, { path: "/platform/members" });
    const walked: Json[] = [];
    for (let path: string | undefined = "/platform/members?limit=2"; path; ) {
      const { body, headers } = await ask(platform, { path });
      walked.push(...body);
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(walked).toEqual(all);
  });
});

describe("API keys", () => {
  it("are answered once with their secret, and then without it", async () => {
    const { api_key, secret } = await newKey(["metrics:read"], { expires_at: "2100-01-01T00:00:00Z" });
    expect(api_key).toEqual({
      id: expect.stringMatching(uuid),
      organisation_id: platform.organisation_id,
      name: "key",
      prefix: "aip_",
      last_four: secret.slice(-4),
      permission_ids: ["metrics:read"],
      created_at: expect.stringMatching(instant),
      expires_at: "2100-01-01T00:00:00.000Z",
      last_used_at: null,
      revoked_at: null,
      created_by_member_id: expect.stringMatching(uuid),
      replaced_by_id: null,
    });
    const { body, text } = await ask(platform, { path: "/platform/api-keys" });
    expect(body).toContainEqual(api_key);
    expect(text).not.toContain(secret);
  });

  it("answers 422 with all that is wrong", async () => {
    const body = { name: "", permission_ids: ["metrics:read"], expires_at: "yesterday" };
    const answer = await ask(platform, { path: "/platform/api-keys", body });
    expect([answer.status, problemsOf(answer)]).toEqual([
      422,
      [
        ["body.name", "string_too_short"],
        ["body.expires_at", expect.stringMatching(/^datetime_/)],
      ],
    ]);
    const later = { name: "x", permission_ids: ["a:b"], expires_at: "2001-01-01T00:00:00Z" };
    expect(problemsOf(await ask(platform, { path: "/platform/api-keys", body: later }))).toEqual([
      ["body.permission_ids.0", "permission_unknown"],
      ["body.expires_at", "expiry_in_past"],
    ]);
  });

  it("are rotated: 201 with the new secret, both good for the overlap; 409 for a second time", async () => {
    const { api_key, secret } = await newKey(["roles:manage"]);
    const path = `/platform/api-keys/${api_key.id}`;
    const rotate = () => ask(platform, { path: `${path}/rotate`, body: { overlap_seconds: 60 } });
    const rotated = await rotate();
    expect(rotated.status).toBe(201);
    expect(rotated.body.api_key).toMatchObject({ name: "key", permission_ids: ["roles:manage"], expires_at: null });
    for (const bearer of [secret, rotated.body.secret]) {
      expect((await ask(platform, { path: "/platform/roles", bearer })).status).toBe(200);
    }
    expect((await ask(platform, { path })).body).toMatchObject({
      replaced_by_id: rotated.body.api_key.id,
      expires_at: expect.stringMatching(instant),
    });
    const again = await rotate();
    expect([again.status, again.body.code]).toEqual([409, "api_key_rotated"]);
  });

  it("open nothing within a second of being revoked", async () => {
    const { api_key, secret } = await newKey(["roles:manage"]);
    const open = async () => (await ask(platform, { path: "/platform/roles", bearer: secret })).status;
    expect(await open()).toBe(200);
    const path = `/platform/api-keys/${api_key.id}`;
    const { status, body } = await ask(platform, { method: "DELETE", path });
    expect([status, body.revoked_at]).toEqual([200, expect.stringMatching(instant)]);
    const revoked = performance.now();
    while ((await open()) === 200);
    expect(performance.now() - revoked).toBeLessThan(1_000);
    expect(await open()).toBe(401);
  });
});

describe.each(["roles", "members", "api-keys"])("the list of %s", (name) => {
  it("refuses parameters that it cannot follow, all at once", async () => {
    const answer = await ask(platform, { path: `/platform/${name}?limit=1001&cursor=${"x".repeat(513)}` });
    expect([answer.status, problemsOf(answer)]).toEqual([
      422,
      [
        ["query.limit", "less_than_equal"],
        ["query.cursor", "string_too_long"],
      ],
    ]);
    const unknown = await ask(platform, { path: `/platform/${name}?cursor=nonsense` });
    expect([unknown.status, problemsOf(unknown)]).toEqual([422, [["query.cursor", "cursor_invalid"]]]);
  });

  it("needs the permission to manage them", async () => {
    const { secret } = await newKey(["metrics:read"]);
    const { status, body } = await ask(platform, { path: `/platform/${name}`, bearer: secret });
    expect([status, body.detail]).toEqual([403, `Missing permission: ${name.replace("-", "")}:manage`]);
  });
});
