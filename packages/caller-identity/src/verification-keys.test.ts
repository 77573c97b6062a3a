import { generateKeyPairSync } from "node:crypto";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { createContextSigner, SigningKeyError } from "./context-signer.ts";
import { createContextVerifier } from "./context-verifier.ts";
import { meshAudience } from "./signed-context.ts";

const newKey = () => generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();

function verifierWith() {
  const clock = { now: new Date("2026-01-01T00:00:00Z") };
  const now = () => clock.now;
  const signer = (...keys: string[]) =>
    createContextSigner({ privateKeyPem: (keys.length > 0 ? keys : [newKey()]).join("\n"), now });
  const identity = { signer: signer(), asked: 0, away: false };
  const verifier = createContextVerifier({
    now,
    async jwks() {
      identity.asked++;
      if (identity.away) throw new Error("away");
      return identity.signer.jwks();
    },
  });
  const caller = { organisationId: "o1", memberId: "m1", credentialId: "k1", permissions: new Set(["b:c", "a:b"]) };
  return {
    identity,
    signer,
    caller,
    verify: async (by = identity.signer) => verifier.verify((await by.sign(caller)).signedContext, [meshAudience]),
    verifySigned: (signed: string) => verifier.verify(signed, [meshAudience]),
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

describe("a signed context", () => {
  it("gives back the caller it was signed for", async () => {
    const { verify, caller } = verifierWith();
    expect(await verify()).toMatchObject({ ...caller, expiresAt: new Date("2026-01-01T00:01:00Z") });
  });

  it("stops being accepted when it expires, although it was verified before", async () => {
    const { identity, caller, verifySigned, pass } = verifierWith();
    const { signedContext } = await identity.signer.sign(caller);
    await verifySigned(signedContext);
    pass(65_001);
    expect(await codeOf(verifySigned(signedContext))).toBe("Unavailable");
  });

  it("of a valid credential is not refused as bad by a service whose clock is wrong", async () => {
    for (const hours of [2, -2]) {
      const { identity, caller, verifySigned, pass } = verifierWith();
      const { signedContext } = await identity.signer.sign(caller);
      pass(hours * 3_600_000);
      expect(await codeOf(verifySigned(signedContext))).toBe("Unavailable");
    }
  });
});

describe("identity's keys", () => {
  it("are asked for once, by however many callers", async () => {
    const { identity, verify } = verifierWith();
    await Promise.all(Array.from({ length: 10 }, () => verify()));
    expect(identity.asked).toBe(1);
  });

  it("are asked for again when a context is signed with a new one", async () => {
    const { identity, signer, verify, pass } = verifierWith();
    await verify();
    identity.signer = signer();
    pass(10_000);
    expect(await codeOf(verify())).toBe("OK");
    expect(identity.asked).toBe(2);
  });

  it("are not asked for more than once in 10 seconds, whatever is shown", async () => {
    const { identity, signer, verify, pass } = verifierWith();
    await verify();
    const stranger = signer();
    for (let i = 0; i < 50; i++) expect(await codeOf(verify(stranger))).toBe("Unauthenticated");
    expect(identity.asked).toBe(1);
    pass(10_000);
    await Promise.all(Array.from({ length: 50 }, () => codeOf(verify(stranger))));
    expect(identity.asked).toBe(2);
  });

  it("serve on while identity is away", async () => {
    const { identity, verify, pass } = verifierWith();
    await verify();
    identity.away = true;
    pass(10 * 60_000);
    expect(await codeOf(verify())).toBe("OK");
  });

  it("that were never obtained make verification UNAVAILABLE, not refused", async () => {
    const { identity, verify } = verifierWith();
    identity.away = true;
    expect(await codeOf(verify())).toBe("Unavailable");
    identity.away = false;
    expect(await codeOf(verify())).toBe("OK");
  });
});

describe("replacing the signing key, one replica after the other", () => {
  const [former, next] = [newKey(), newKey()];
  const steps: [string, string[], string[]][] = [
    ["the new key is appended", [former], [former, next]],
    ["the new key is put first", [former, next], [next, former]],
    ["the former key is taken away", [next, former], [next]],
  ];

  describe.each(steps)("while %s", (_title, before, after) => {
    it.each([
      ["a replica that has done so", after, before],
      ["a replica that has not", before, after],
    ])("what %s signs is verified with the keys of the other", async (_title, signing, publishing) => {
      const { identity, signer, verify } = verifierWith();
      identity.signer = signer(...publishing);
      expect(await codeOf(verify(signer(...signing)))).toBe("OK");
    });
  });
});

describe("a key that is not Ed25519", () => {
  it.each([
    [
      "RSA",
      () =>
        generateKeyPairSync("rsa", { modulusLength: 2048 })
          .privateKey.export({ format: "pem", type: "pkcs8" })
          .toString(),
    ],
    ["no key", () => "hello"],
    ["one of several", () => `${newKey()}\n-----BEGIN PRIVATE KEY-----\nhello\n-----END PRIVATE KEY-----`],
  ])("(%s) is refused at start", (_title, pem) => {
    expect(() => createContextSigner({ privateKeyPem: pem(), now: () => new Date() })).toThrow(SigningKeyError);
  });
});
