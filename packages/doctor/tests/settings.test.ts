import { merged } from "@aiplatform/doctor";
import { describe, expect, it } from "vitest";
import { complaints, disposeAfterAll, examined } from "./rig.ts";

disposeAfterAll();

const kinds = ["identity", "training", "content", "deployments", "data"] as const;

describe("settings with which all is well", () => {
  it("are found to be so, all together", async () => {
    const examinations = merged((await Promise.all(kinds.map((kind) => examined(kind, {})))).flat());
    expect(complaints(examinations)).toEqual([
      "warning smtp: no mail server is set: drafts cannot be sent → set SMTP_URL and MAIL_FROM",
      "warning sandbox: the processes that read data are not contained: DATA_SANDBOX is none → leave DATA_SANDBOX out, unless all files come from people whom you trust",
    ]);
    expect(new Set(examinations.map(({ check }) => check))).toEqual(
      new Set([
        "settings",
        "node",
        "mongodb",
        "nats",
        "clock",
        "keys",
        "address",
        "smtp",
        "artifacts",
        "serving",
        "directory",
        "sandbox",
      ]),
    );
  });
});

describe("settings that cannot be read", () => {
  it("are all told, and the service is not looked at further", async () => {
    const mistakes = { GRPC_PORT: "many", MONGODB_URI: "" };
    const found = await examined("training", mistakes, { checks: ["mongodb"] });
    expect(complaints(found)).toEqual([
      expect.stringMatching(/^failed settings: GRPC_PORT must be a whole number → .*services\/training\/README.md/),
      expect.stringContaining("failed settings: MONGODB_URI is not set (secret)"),
    ]);
    expect(found).toHaveLength(1);
  });

  it("include keys of a wrong form", async () => {
    const keys = '[{"id":"a","key":"c2hvcnQ="}]';
    const found = await examined("identity", { SECRETS_KEYS: keys }, { checks: [] });
    expect(complaints(found)).toEqual([
      expect.stringContaining("failed settings: SECRETS_KEYS entry 0: key must be 32"),
    ]);
  });
});

describe("keys", () => {
  it.each([
    ["that is no key", "hello"],
    ["of another kind", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"],
  ])("for signing %s are told with how to make one", async (_, key) => {
    const found = await examined("identity", { CONTEXT_SIGNING_KEY: key }, { checks: ["keys"] });
    expect(complaints(found)).toEqual([
      expect.stringMatching(
        /^failed keys: CONTEXT_SIGNING_KEY cannot sign: .* → make one: openssl genpkey -algorithm ed25519/,
      ),
    ]);
  });

  it("that two services should share and do not are told by their fingerprints, and never shown", async () => {
    const other = "another-secret-of-40-characters-is-here.";
    const checks = ["keys"];
    const identity = await examined("identity", {}, { checks });
    const found = merged([...identity, ...(await examined("content", { DELEGATION_SECRET: other }, { checks }))]);
    expect(complaints(found)).toEqual([
      expect.stringMatching(
        /^failed keys: DELEGATION_SECRET differs: identity [0-9a-f]{8}, content [0-9a-f]{8} → give identity and content the same/,
      ),
    ]);
    const shown = JSON.stringify(found);
    for (const secret of [other, "d".repeat(40), "a".repeat(40), "BEGIN"]) expect(shown).not.toContain(secret);
  });
});

describe("the address of the platform in browsers", () => {
  const checks = ["address"];
  const found = async (identity: Record<string, string>, gateway: Record<string, string>) =>
    merged([
      ...(await examined("identity", identity, { checks })),
      ...(await examined("gateway", gateway, { checks })),
    ]);

  it("is told once where identity and gateway have the same", async () => {
    const address = { PUBLIC_URL: "https://platform.example", CONSOLE_PATH: "/tools/ai/" };
    const examinations = await found(address, address);
    expect(complaints(examinations)).toEqual([]);
    const [url, path] = examinations.filter(({ check }) => check === "address");
    expect(url).toMatchObject({
      of: ["identity", "gateway"],
      findings: [{ says: "PUBLIC_URL is https://platform.example" }],
    });
    expect(path).toMatchObject({ of: ["identity", "gateway"], findings: [{ says: "CONSOLE_PATH is /tools/ai/" }] });
  });

  it("is told where it differs, or where one of them has none", async () => {
    const examinations = await found({ CONSOLE_PATH: "/tools/" }, { PUBLIC_URL: "https://platform.example" });
    expect(complaints(examinations)).toEqual([
      "failed address: PUBLIC_URL differs: identity not set, gateway https://platform.example → give identity and gateway the same PUBLIC_URL",
      "failed address: CONSOLE_PATH differs: identity /tools/, gateway /console/ → give identity and gateway the same CONSOLE_PATH",
    ]);
  });
});
