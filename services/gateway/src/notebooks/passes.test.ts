import type { Caller, CredentialChange } from "@aiplatform/caller-identity";
import { NotebookSessionService } from "@aiplatform/contract/aiplatform/identity/v1/notebook_sessions";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { NotebookPasses } from "./passes.ts";

const caller = (memberId: string, organisationId = "o"): Caller => ({
  organisationId,
  memberId,
  permissions: new Set(["notebooks:use"]),
  credentialId: "i s",
  expiresAt: new Date(60_000),
  signedContext: "signed",
});

/** Passes of an identity that counts them, at a time that is set. */
function passesAt(startMs: number) {
  const seen = { now: startMs, issued: 0, fails: false, contexts: [] as (string | null)[] };
  let announce = (_change: Pick<CredentialChange, "organisationId">) => {};
  const transport = createRouterTransport(({ service }) =>
    service(NotebookSessionService, {
      issueNotebookPass(_, { requestHeader }) {
        seen.issued += 1;
        seen.contexts.push(requestHeader.get("x-caller-context"));
        if (seen.fails) throw new ConnectError("away", Code.Unavailable);
        const expiresAt = timestampFromDate(new Date(seen.now + 300_000));
        return { username: "u", hubToken: `token-${seen.issued}`, signedIdentity: "s", expiresAt };
      },
    }),
  );
  const passes = new NotebookPasses({
    client: createClient(NotebookSessionService, transport),
    exchange: {
      onEvict(listener) {
        announce = (change) => listener({ apiKeyId: "", memberId: "", roleId: "", ...change });
        return { close: () => {} };
      },
    },
    now: () => new Date(seen.now),
  });
  const tokenOf = async (who: Caller) => (await passes.of(who, request)).hubToken;
  return { seen, passes, tokenOf, changed: (organisationId: string) => announce({ organisationId }) };
}

const request = { requestId: "request-1", requestIdSource: "caller" } as const;

describe("a pass to the notebooks", () => {
  it("is asked for once on the caller's behalf, by however many requests", async () => {
    const { seen, tokenOf } = passesAt(0);
    const tokens = await Promise.all(Array.from({ length: 9 }, () => tokenOf(caller("1"))));
    expect(new Set(tokens)).toEqual(new Set(["token-1"]));
    expect(seen.contexts).toEqual(["signed"]);
  });

  it("is one's own: of the member, the organisation and the credential", async () => {
    const { tokenOf } = passesAt(0);
    const others = [caller("2"), caller("1", "p"), { ...caller("1"), credentialId: "other" }];
    const tokens = await Promise.all([caller("1"), ...others].map(tokenOf));
    expect(new Set(tokens).size).toBe(4);
  });

  it.each([
    [269_999, "token-1"],
    [270_000, "token-2"],
    [300_001, "token-2"],
  ])("after %d of its 300,000 ms is %s", async (laterMs, expected) => {
    const { seen, tokenOf } = passesAt(0);
    await tokenOf(caller("1"));
    seen.now = laterMs;
    expect(await tokenOf(caller("1"))).toBe(expected);
  });

  it("is forgotten when something changes in the organisation, and there only", async () => {
    const { tokenOf, changed } = passesAt(0);
    await tokenOf(caller("1"));
    await tokenOf(caller("1", "p"));
    changed("o");
    expect([await tokenOf(caller("1")), await tokenOf(caller("1", "p"))]).toEqual(["token-3", "token-2"]);
  });

  it.each([
    [10_000, "token-1"],
    [10_001, "token-2"],
  ])("that the hub does not take at the age of %d ms is followed by %s", async (ageMs, expected) => {
    const { seen, passes, tokenOf } = passesAt(0);
    const pass = await passes.of(caller("1"), request);
    seen.now = ageMs;
    passes.doubt(caller("1"), pass);
    expect(await tokenOf(caller("1"))).toBe(expected);
  });

  it("that could not be issued is asked for again by the next request", async () => {
    const { seen, tokenOf } = passesAt(0);
    seen.fails = true;
    await expect(tokenOf(caller("1"))).rejects.toThrow("away");
    seen.fails = false;
    expect(await tokenOf(caller("1"))).toBe("token-2");
  });
});
