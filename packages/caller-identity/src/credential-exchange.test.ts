import { CredentialService } from "@aiplatform/contract/aiplatform/identity/v1/credentials";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { type CredentialChange, concerns } from "./credential-change.ts";
import { type CredentialSource, createCredentialExchange } from "./credential-exchange.ts";
import { rateLimitError, retryAfterMs } from "./rate-limit-error.ts";

interface Identity {
  readonly asked: string[];
  /** The source address of each question. */
  readonly sources: string[];
  answer: (credential: string) => Promise<{ organisationId: string; memberId?: string; credentialId: string }>;
}

/** An exchange in front of an identity that answers as the test says, at the time the test says. */
function exchangeWith(remembered = 100) {
  const clock = { now: new Date("2026-01-01T00:00:00Z") };
  const answer = async (credentialId: string) => ({ organisationId: "o1", credentialId });
  const identity: Identity = { asked: [], sources: [], answer };
  const transport = createRouterTransport((router) =>
    router.service(CredentialService, {
      async exchangeCredential({ bearer, apiKey, sourceAddress }) {
        identity.asked.push(bearer || apiKey);
        identity.sources.push(sourceAddress);
        const expiresAt = timestampFromDate(new Date(clock.now.getTime() + 60_000));
        return { signedContext: "signed", caller: { ...(await identity.answer(bearer || apiKey)), expiresAt } };
      },
    }),
  );
  const client = createClient(CredentialService, transport);
  const exchange = createCredentialExchange({ client, now: () => clock.now, remembered });
  return {
    identity,
    exchange,
    evict: (change: Partial<CredentialChange>) =>
      exchange.evict({
        $typeName: "aiplatform.events.v1.CredentialChanged",
        organisationId: "o1",
        apiKeyId: "",
        memberId: "",
        roleId: "",
        ...change,
      }),
    ask: (bearer: string, source?: CredentialSource) => exchange.exchange({ bearer, apiKey: "" }, source),
    pass: (ms: number) => {
      clock.now = new Date(clock.now.getTime() + ms);
    },
  };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "OK",
    (error: unknown) => Code[ConnectError.from(error).code],
  );
const refuse = () => Promise.reject(new ConnectError("unknown", Code.Unauthenticated));
const unavailable = () => Promise.reject(new ConnectError("away", Code.Unavailable));

describe("a credential shown again", () => {
  it("is answered from memory until shortly before its context expires", async () => {
    const { identity, ask, pass } = exchangeWith();
    await ask("a");
    pass(49_000);
    await ask("a");
    expect(identity.asked).toEqual(["a"]);
    pass(2_000);
    await ask("a");
    expect(identity.asked).toEqual(["a", "a"]);
  });

  it("is exchanged once for all who ask at the same time", async () => {
    const { identity, ask } = exchangeWith();
    await Promise.all(Array.from({ length: 20 }, () => ask("a")));
    expect(identity.asked).toHaveLength(1);
  });

  it("as a key is another credential than as a bearer", async () => {
    const { identity, exchange } = exchangeWith();
    await exchange.exchange({ bearer: "ab", apiKey: "" });
    await exchange.exchange({ bearer: "", apiKey: "ab" });
    await exchange.exchange({ bearer: "a", apiKey: "b" });
    expect(identity.asked).toHaveLength(3);
  });

  it("is forgotten, oldest first, when too many are remembered", async () => {
    const { identity, ask } = exchangeWith(2);
    for (const each of ["a", "b", "c", "a"]) await ask(each);
    expect(identity.asked).toEqual(["a", "b", "c", "a"]);
  });
});

describe("a refusal", () => {
  it("is repeated for 5 seconds without asking, then asked again", async () => {
    const { identity, ask, pass } = exchangeWith();
    identity.answer = refuse;
    for (let i = 0; i < 3; i++) expect(await codeOf(ask("a"))).toBe("Unauthenticated");
    expect(identity.asked).toHaveLength(1);
    pass(5_001);
    expect(await codeOf(ask("a"))).toBe("Unauthenticated");
    expect(identity.asked).toHaveLength(2);
  });
});

describe("the suspension of an organisation", () => {
  const suspended = () => {
    const info = { desc: ErrorInfoSchema, value: { reason: "ORGANISATION_SUSPENDED", domain: "aiplatform" } };
    return Promise.reject(new ConnectError("suspended", Code.PermissionDenied, undefined, [info]));
  };

  it("is no trouble of identity's: a context that still holds is not used", async () => {
    const { identity, ask, pass } = exchangeWith();
    await ask("a");
    identity.answer = suspended;
    pass(55_000);
    expect(await codeOf(ask("a"))).toBe("PermissionDenied");
  });

  it("is repeated for 5 seconds without asking, and others are exchanged meanwhile", async () => {
    const { identity, ask, pass, exchange } = exchangeWith();
    identity.answer = suspended;
    for (const each of ["a", "b", "c", "d", "e", "f", "a"]) expect(await codeOf(ask(each))).toBe("PermissionDenied");
    expect(identity.asked).toHaveLength(6);
    expect(exchange.isRefusing).toBe(false);
    pass(5_001);
    identity.answer = async (credentialId) => ({ organisationId: "o1", credentialId });
    expect(await codeOf(ask("a"))).toBe("OK");
  });
});

describe("while identity is away", () => {
  it("a context that still holds is used, and no new caller gets in", async () => {
    const { identity, ask, pass } = exchangeWith();
    await ask("a");
    identity.answer = unavailable;
    pass(55_000);
    expect(await codeOf(ask("a"))).toBe("OK");
    expect(await codeOf(ask("b"))).toBe("Unavailable");
    pass(6_000);
    expect(await codeOf(ask("a"))).toBe("Unavailable");
  });
});

describe("an identity that does not answer", () => {
  const reasonOf = (work: Promise<unknown>) =>
    work.then(
      () => "OK",
      (error: unknown) => ConnectError.from(error).findDetails(ErrorInfoSchema)[0]?.reason,
    );
  const withoutStore = () => {
    const info = { desc: ErrorInfoSchema, value: { reason: "STORE_UNAVAILABLE", domain: "aiplatform" } };
    return Promise.reject(new ConnectError("away", Code.Unavailable, undefined, [info]));
  };

  it("is left alone after five failures in a row, and those who ask hear the true reason at once", async () => {
    const { identity, ask, exchange } = exchangeWith();
    identity.answer = withoutStore;
    for (const each of ["a", "b", "c", "d", "e", "f", "g"]) expect(await reasonOf(ask(each))).toBe("STORE_UNAVAILABLE");
    expect(identity.asked).toEqual(["a", "b", "c", "d", "e"]);
    expect(exchange.isRefusing).toBe(true);
  });

  it("is asked by one within a second or so, and by all when that one is answered", async () => {
    const { identity, ask, exchange } = exchangeWith();
    identity.answer = unavailable;
    for (const each of ["a", "b", "c", "d", "e"]) expect(await reasonOf(ask(each))).toBe("IDENTITY_UNAVAILABLE");
    identity.answer = async (credentialId) => ({ organisationId: "o1", credentialId });
    while ((await codeOf(ask("f"))) !== "OK") await new Promise((resolve) => setTimeout(resolve, 20));
    expect(exchange.isRefusing).toBe(false);
    expect(await codeOf(ask("g"))).toBe("OK");
  });

  it.each(["ISSUER_UNAVAILABLE", "NOTEBOOK_HUB_UNAVAILABLE"])(
    "is not left alone, API keys included, while only whom it asks is away: %s",
    async (reason) => {
      const { identity, ask, exchange } = exchangeWith();
      const info = { desc: ErrorInfoSchema, value: { reason, domain: "aiplatform" } };
      identity.answer = () => Promise.reject(new ConnectError("away", Code.Unavailable, undefined, [info]));
      for (const each of ["a", "b", "c", "d", "e", "f"]) expect(await codeOf(ask(each))).toBe("Unavailable");
      expect([identity.asked.length, exchange.isRefusing]).toEqual([6, false]);
    },
  );

  it("is not left alone for refusing credentials", async () => {
    const { identity, ask, exchange } = exchangeWith();
    identity.answer = refuse;
    for (const each of ["a", "b", "c", "d", "e", "f"]) expect(await codeOf(ask(each))).toBe("Unauthenticated");
    expect(identity.asked).toHaveLength(6);
    expect(exchange.isRefusing).toBe(false);
  });
});

describe("a change", () => {
  it("makes the credential be exchanged again", async () => {
    const { identity, ask, evict } = exchangeWith();
    await ask("a");
    await ask("b");
    evict({ apiKeyId: "a" });
    await ask("a");
    await ask("b");
    expect(identity.asked).toEqual(["a", "b", "a"]);
  });

  it("that arrives during an exchange voids its answer", async () => {
    const { identity, ask, evict } = exchangeWith();
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    identity.answer = async () => {
      begun.resolve();
      await promise;
      return { organisationId: "o1", credentialId: "a" };
    };
    const asked = ask("a");
    await begun.promise;
    evict({ apiKeyId: "a" });
    identity.answer = refuse;
    resolve();
    expect(await codeOf(asked)).toBe("Unauthenticated");
    expect(identity.asked).toHaveLength(2);
  });

  const caller = {
    organisationId: "o1",
    memberId: "m1",
    credentialId: "k1",
    permissions: new Set<string>(),
    expiresAt: new Date(),
    signedContext: "",
  };
  const blank = { organisationId: "o1", apiKeyId: "", memberId: "", roleId: "" };
  it.each([
    ["of its key", { apiKeyId: "k1" }, false, true],
    ["of another key", { apiKeyId: "k2" }, false, false],
    ["of any key, when a key was shown beside a token", { apiKeyId: "k2" }, true, true],
    ["of its member", { memberId: "m1" }, false, true],
    ["of another member", { memberId: "m2" }, false, false],
    ["of a role", { roleId: "r1" }, false, true],
    ["of the organisation", {}, false, true],
    ["in another organisation", { organisationId: "o2", memberId: "m1" }, false, false],
  ])("%s concerns a caller: %j, paired %s → %s", (_title, change, paired, expected) => {
    expect(concerns({ ...blank, ...change }, { caller, paired })).toBe(expected);
  });
});

describe("a guard before the exchange", () => {
  const closed: CredentialSource = {
    address: () => "203.0.113.7",
    guard: () => Promise.reject(new ConnectError("enough", Code.ResourceExhausted)),
  };

  it("keeps an unknown credential from identity, and its own refusal reaches the caller", async () => {
    const { identity, ask } = exchangeWith();
    expect(await codeOf(ask("a", closed))).toBe("ResourceExhausted");
    expect(identity.asked).toEqual([]);
  });

  it("is not asked about a credential that was good, not even when its context has ended", async () => {
    const { ask, pass } = exchangeWith();
    await ask("a");
    pass(120_000);
    expect(await codeOf(ask("a", closed))).toBe("OK");
  });

  it("is asked again once the credential is refused", async () => {
    const { identity, ask, pass } = exchangeWith();
    await ask("a");
    pass(120_000);
    identity.answer = refuse;
    expect(await codeOf(ask("a", closed))).toBe("Unauthenticated");
    expect(await codeOf(ask("a", closed))).toBe("ResourceExhausted");
  });
});

describe("the address that a credential comes from", () => {
  const at = (address: string): CredentialSource => ({ address: () => address, guard: (ask) => ask() });

  it("is told to identity, which counts what is bad over all services", async () => {
    const { identity, ask } = exchangeWith();
    await ask("a", at("203.0.113.7"));
    expect(identity.sources).toEqual(["203.0.113.7"]);
  });

  it("is not told when a credential that was good is asked about again", async () => {
    const { identity, ask, pass } = exchangeWith();
    await ask("a", at("203.0.113.7"));
    pass(55_000);
    await ask("a", at("203.0.113.7"));
    expect(identity.sources).toEqual(["203.0.113.7", ""]);
  });

  it("keeps nothing from another address that shows the same credential at the same time", async () => {
    const { identity, ask } = exchangeWith();
    await Promise.all([ask("a", at("203.0.113.7")), ask("a", at("203.0.113.8"))]);
    expect(identity.sources).toEqual(["203.0.113.7", "203.0.113.8"]);
  });

  it("is rejected by identity, and the caller is told for how long", async () => {
    const { identity, ask } = exchangeWith();
    identity.answer = () => Promise.reject(rateLimitError("TOO_MANY_FAILED_CREDENTIALS", { afterMs: 30_000 }));
    const refused = await ask("a", at("203.0.113.7")).catch(ConnectError.from);
    expect(retryAfterMs(refused)).toBe(30_000);
  });
});
