import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { DelegationService } from "@aiplatform/contract/aiplatform/identity/v1/delegations";
import { WorkspaceService } from "@aiplatform/contract/aiplatform/identity/v1/workspaces";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { ConnectError } from "@connectrpc/connect";
import { SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { ServiceAssertions } from "./service-assertion.ts";
import { audiencesOf, contextAudiences } from "./service-interceptor.ts";

const start = Date.UTC(2026, 0, 1);
const pairs = new Map(["gateway", "training", "content"].map((name) => [name, generateKeyPairSync("ed25519")]));

/** A service's keys as its files hold them: its own private one, and the public ones of all. */
function keysOf(service: string, kid = service) {
  const own = pairs.get(service);
  if (!own) throw new Error(`there is no key of ${service}`);
  return {
    service,
    signingKey: { kid, privateKey: own.privateKey },
    publicKey: (id: string) => {
      const [name = ""] = id.split(".");
      const pair = pairs.get(name);
      return pair && { service: name, key: pair.publicKey };
    },
  };
}

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "accepted",
    (error: unknown) => ConnectError.from(error).findDetails(ErrorInfoSchema)[0]?.reason,
  );

/** A token of the content service's key, or of another. */
function signed(
  header: { typ?: string; kid?: string },
  { iss = "content", aud = "training", seconds = 60, at = start } = {},
  key: KeyObject | undefined = pairs.get("content")?.privateKey,
): Promise<string> {
  if (!key) throw new Error("there is no key");
  const issuedAt = at / 1000;
  return new SignJWT()
    .setProtectedHeader({ alg: "EdDSA", typ: "service-assertion+jwt", kid: "content", ...header })
    .setIssuer(iss)
    .setAudience(aud)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + seconds)
    .sign(key);
}

describe("an assertion of a service", () => {
  const clock = { now: start };
  const now = () => new Date(clock.now);
  const content = new ServiceAssertions(keysOf("content"), now);
  const training = new ServiceAssertions(keysOf("training"), now);

  it("tells the service that it is for which service calls", async () => {
    clock.now = start;
    expect(await training.verify(await content.for("training"))).toBe("content");
  });

  it("serves many calls, and is made again before it ends", async () => {
    clock.now = start;
    const first = await content.for("training");
    clock.now = start + 19_999;
    expect(await content.for("training")).toBe(first);
    clock.now = start + 20_000;
    expect(await content.for("training")).not.toBe(first);
  });

  it("is made again when the service signs with another key", async () => {
    const keys = { ...keysOf("content") };
    const rotating = new ServiceAssertions(keys, now);
    const first = await rotating.for("training");
    keys.signingKey = { ...keys.signingKey, kid: "content.2" };
    expect(await rotating.for("training")).not.toBe(first);
  });

  it.each([
    ["for another service", {}, { aud: "identity" }],
    ["under another's name", {}, { iss: "gateway" }],
    ["with another's key id", { kid: "gateway" }, {}],
    ["with an unknown key", { kid: "mallory" }, {}],
    ["that is something else that a service signs", { typ: "event" }, {}],
    ["that lives longer than assertions do", {}, { seconds: 3_600 }],
  ])("is refused %s", async (_, header, claims) => {
    clock.now = start;
    expect(await reasonOf(training.verify(await signed(header, claims)))).toBe("SERVICE_ASSERTION_INVALID");
  });

  it.each([["no token"], ["x".repeat(1_025)]])("is refused when it is none: %s", async (text) => {
    expect(await reasonOf(training.verify(text))).toBe("SERVICE_ASSERTION_INVALID");
  });

  it("is refused after its time, also where it was accepted before", async () => {
    clock.now = start;
    const assertion = await signed({});
    expect(await reasonOf(training.verify(assertion))).toBe("accepted");
    clock.now = start + 64_000;
    expect(await reasonOf(training.verify(assertion))).toBe("accepted");
    clock.now = start + 65_000;
    expect(await reasonOf(training.verify(assertion))).toBe("SERVICE_ASSERTION_OUT_OF_TIME");
  });

  it("is refused before its time, by a service whose clock is behind", async () => {
    clock.now = start;
    const early = await signed({}, { at: start + 6_000 });
    expect(await reasonOf(training.verify(early))).toBe("SERVICE_ASSERTION_OUT_OF_TIME");
  });
});

describe("a signed context", () => {
  const assertions = new ServiceAssertions(keysOf("training"), () => new Date(start));
  const { getWorkspace, listWorkspaces } = WorkspaceService.method;
  const { createDelegation } = DelegationService.method;
  const believed = (acceptsMissing: boolean, ...asked: Parameters<ReturnType<typeof contextAudiences>>) => {
    try {
      return contextAudiences({ assertions, acceptsMissing })(...asked);
    } catch (error) {
      return ConnectError.from(error).findDetails(ErrorInfoSchema)[0]?.reason;
    }
  };

  it.each([
    ["that the gateway passes on is for this service", getWorkspace, "gateway", ["training"]],
    ["that a service passes on is for that service", getWorkspace, "content", ["content"]],
    ["that a service passes on to an internal RPC, too", createDelegation, "content", ["content"]],
    ["is refused of a service that the contract does not name", listWorkspaces, "content", "SERVICE_NOT_ALLOWED"],
    ["is refused of a caller that is no service", getWorkspace, undefined, "SERVICE_ASSERTION_MISSING"],
  ])("%s", (_, method, service, expected) => {
    expect(believed(false, method, service)).toEqual(expected);
  });

  it.each([
    ["of the gateway", "gateway", ["training", "aiplatform-mesh"]],
    ["of another service", "content", ["content", "aiplatform-mesh"]],
    ["of a service that proves nothing", undefined, ["aiplatform-mesh"]],
  ])("for all of the mesh is believed while earlier versions run: %s", (_, service, expected) => {
    expect(believed(true, getWorkspace, service)).toEqual(expected);
  });

  it.each([
    ["the gateway, for each service", "gateway", ["identity", "training", "content", "deployments", "data"]],
    ["a service, for itself", "content", ["content"]],
    ["none that proves nothing", undefined, []],
  ])("is signed for %s", (_, service, expected) => {
    expect(audiencesOf(service)).toEqual(expected);
  });
});
