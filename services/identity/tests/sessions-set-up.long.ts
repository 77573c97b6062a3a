import { failureOf } from "@aiplatform/testkit";
import { describe, expect, it } from "vitest";
import { startIdentityRig } from "./identity-rig.ts";

describe("an installation that browsers reach over HTTPS", () => {
  it("has a cookie that only this host can set, and no sign-in codes", async () => {
    await using rig = await startIdentityRig({ settings: { PUBLIC_URL: "https://platform.example" } });
    const clients = rig.as({ bearer: await rig.provider.token("ada") });
    let setCookie = "";
    const onHeader = (header: Headers) => {
      setCookie = header.get("set-cookie") ?? "";
    };
    await clients.sessions.createSession({}, { onHeader });
    expect(setCookie).toMatch(/^__Host-aiplatform-session=ais_[\w-]{43}; .*Secure/);
    expect(await failureOf(clients.sessions.createSignInCode({}))).toMatchObject({ reason: "SIGN_IN_CODES_OFF" });
  });
});

describe("an installation without a safe address for browsers", () => {
  it.each([[undefined], ["http://platform.example"]])("has no sessions: %s", async (url) => {
    await using rig = await startIdentityRig({ settings: url === undefined ? {} : { PUBLIC_URL: url } });
    const clients = rig.as({ bearer: await rig.provider.token("ada") });
    expect(await failureOf(clients.sessions.createSession({}))).toMatchObject({ reason: "SESSIONS_OFF" });
    expect(await failureOf(clients.sessions.createSignInCode({}))).toMatchObject({ reason: "SIGN_IN_CODES_OFF" });
  });
});
