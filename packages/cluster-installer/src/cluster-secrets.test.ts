import { publicNkey } from "@aiplatform/event-stream";
import { describe, expect, it } from "vitest";
import { madeKeys, type SecretContents } from "./cluster-secrets.ts";
import { InstallError } from "./errors.ts";

const base64 = (text: string) => Buffer.from(text).toString("base64");
const plain = (text = "") => Buffer.from(text, "base64").toString();
const none: SecretContents = new Map();

/** The value of each key that is made, by Secret and key. */
function made(needed: readonly string[], present: SecretContents = none): ReadonlyMap<string, string> {
  const keys = needed.map((name) => {
    const [secret = "", key = ""] = name.split("/");
    return { secret, key };
  });
  return new Map(madeKeys(keys, present).map(({ secret, key, value }) => [`${secret}/${key}`, plain(value)]));
}

describe("what a server knows a service by", () => {
  it("follows from the key that is made for the service", () => {
    const values = made(["aiplatform-nats/content-public-nkey", "aiplatform-content/nats-nkey"]);
    expect([...values.keys()]).toEqual(["aiplatform-content/nats-nkey", "aiplatform-nats/content-public-nkey"]);
    expect(values.get("aiplatform-nats/content-public-nkey")).toBe(
      publicNkey(values.get("aiplatform-content/nats-nkey") ?? ""),
    );
  });

  it("follows from the key that the service has already", () => {
    const present = new Map([["aiplatform-training", new Map([["mongodb-password", base64("kept")]])]]);
    const values = made(["aiplatform-mongodb/training-password", "aiplatform-training/mongodb-password"], present);
    expect([...values]).toEqual([["aiplatform-mongodb/training-password", "kept"]]);
  });

  it("brings a key that no pod reads, such as the operator's", () => {
    expect([...made(["aiplatform-nats/operator-public-nkey"]).keys()]).toEqual([
      "aiplatform-operator/nats-nkey",
      "aiplatform-nats/operator-public-nkey",
    ]);
  });

  it("is made again with the service's key, when that was deleted", () => {
    const present = new Map([["aiplatform-nats", new Map([["content-public-nkey", base64("of the deleted key")]])]]);
    const values = made(["aiplatform-nats/content-public-nkey", "aiplatform-content/nats-nkey"], present);
    expect(values.get("aiplatform-nats/content-public-nkey")).toBe(
      publicNkey(values.get("aiplatform-content/nats-nkey") ?? ""),
    );
  });

  it("is left alone where it is there", () => {
    const present = new Map([["aiplatform-nats", new Map([["operator-public-nkey", base64("U")]])]]);
    expect(made(["aiplatform-nats/operator-public-nkey"], present)).toEqual(new Map());
  });
});

describe("the public keys of the services", () => {
  const needed = ["aiplatform-training/service-key", "aiplatform-service-keys/service-keys"];
  const kids = (values: ReadonlyMap<string, string>) =>
    JSON.parse(values.get("aiplatform-service-keys/service-keys") ?? "{}").keys.map(({ kid }: { kid: string }) => kid);
  const secretsOf = (values: ReadonlyMap<string, string>): SecretContents =>
    new Map(
      [...values].map(([name, value]) => {
        const [secret = "", key = ""] = name.split("/");
        return [secret, new Map([[key, base64(value)]])];
      }),
    );

  it("follow from the private ones, the operator's among them, which no pod has", () => {
    const values = made(needed);
    expect([...values.keys()].sort()).toEqual([
      "aiplatform-operator/service-key",
      "aiplatform-service-keys/service-keys",
      "aiplatform-training/service-key",
    ]);
    expect(kids(values).sort()).toEqual(["operator", "training"]);
  });

  it("are left alone where every private key is among them", () => {
    expect(made(needed, secretsOf(made(needed)))).toEqual(new Map());
  });

  it("keep what they have when a private key was deleted and is made again", () => {
    const present = secretsOf(made(needed));
    present.delete("aiplatform-training");
    expect(kids(made(needed, present)).sort()).toEqual(["operator", "training", "training.2"]);
  });
});

describe("a key that two Secrets share", () => {
  it("has one value, and that which is there already", () => {
    const needed = ["aiplatform-identity/delegation-secret", "aiplatform-content/delegation-secret"];
    expect(new Set(made(needed).values()).size).toBe(1);
    const present = new Map([["aiplatform-identity", new Map([["delegation-secret", base64("shared")]])]]);
    expect([...made(needed, present).values()]).toEqual(["shared"]);
  });
});

describe("a key that cannot be made up", () => {
  it("is named", () => {
    expect(() => made(["aiplatform-content/smtp-url"])).toThrow(InstallError);
  });
});
