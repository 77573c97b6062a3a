import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { flattenedVerify, importJWK } from "jose";
import { afterAll, describe, expect, it } from "vitest";
import {
  keepServiceKeys,
  newPrivateKey,
  publicKeySet,
  ServiceKeyError,
  ServiceKeys,
  SignatureError,
} from "../src/index.ts";

const directories: string[] = [];
afterAll(() => {
  for (const directory of directories) rmSync(directory, { recursive: true, force: true });
});

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "service-keys-test-"));
  directories.push(directory);
  return directory;
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** Keys of all services in a directory of the test's own, and what opens them as a service. */
function installation() {
  const directory = newDirectory();
  const files = keepServiceKeys(directory);
  const logged: string[] = [];
  const logger = {
    info: (_: object, message: string) => void logged.push(message),
    error: (_: object, message: string) => void logged.push(message),
  };
  return { directory, files, logged, open: (service: string) => new ServiceKeys(files(service), { service, logger }) };
}

describe("what a service signs", () => {
  it("is known by every other service as signed by it", () => {
    const { open } = installation();
    using training = open("training");
    using identity = open("identity");
    expect(identity.verify("event", bytes("done"), training.sign("event", bytes("done")))).toBe("training");
  });

  it("is a detached JWS that other libraries verify", async () => {
    const { open, files } = installation();
    using training = open("training");
    const payload = bytes("done");
    const [header = "", signature = ""] = training.sign("event", payload).split("..");
    const { keys } = JSON.parse(readFileSync(files("training").SERVICE_KEYS_FILE, "utf8"));
    const key = await importJWK(
      keys.find(({ kid }: { kid: string }) => kid === "training"),
      "EdDSA",
    );
    const verified = await flattenedVerify({ protected: header, payload, signature }, key);
    expect(verified.protectedHeader).toMatchObject({ alg: "EdDSA", kid: "training", typ: "event" });
  });
});

describe("a signature", () => {
  const { open } = installation();
  using training = open("training");
  using content = open("content");
  const signature = training.sign("event", bytes("done"));
  const [header = "", value = ""] = signature.split("..");
  const [otherHeader = ""] = content.sign("event", bytes("done")).split("..");
  const none = Buffer.from('{"alg":"none"}').toString("base64url");
  using stranger = installation().open("training");

  it.each([
    ["for other bytes", "event", "doné", signature],
    ["for something of another type", "request", "done", signature],
    ["with the name of another service", "event", "done", `${otherHeader}..${value}`],
    ["by a key of another installation", "event", "done", stranger.sign("event", bytes("done"))],
    ["with an algorithm that the sender chose", "event", "done", `${none}..${value}`],
    ["without a header", "event", "done", `..${value}`],
    ["with a payload in it", "event", "done", `${header}.${Buffer.from("done").toString("base64url")}.${value}`],
    ["that is cut short", "event", "done", signature.slice(0, -1)],
    ["that is empty", "event", "done", ""],
    ["that is no text of base64", "event", "done", `${header}..${"*".repeat(86)}`],
    ["that is very long", "event", "done", "a".repeat(100_000)],
  ])("%s is refused", (_, type, text, shown) => {
    expect(() => content.verify(type, bytes(text), shown)).toThrow(SignatureError);
  });
});

describe("replacing the key of a service", () => {
  const setup = () => {
    const { directory, open, files, logged } = installation();
    const next = newPrivateKey();
    const { SERVICE_KEY_FILE: keyFile, SERVICE_KEYS_FILE: keysFile } = files("training");
    const publish = () => {
      const present = readFileSync(keysFile, "utf8");
      writeFileSync(keysFile, JSON.stringify(publicKeySet(new Map([["training", next]]), present)));
    };
    return { directory, open, publish, logged, replace: () => writeFileSync(keyFile, next) };
  };

  it("needs no restart, and what the former key signed is still verified", () => {
    const { open, publish, replace } = setup();
    using training = open("training");
    using identity = open("identity");
    const former = training.sign("event", bytes("done"));
    publish();
    identity.refresh();
    replace();
    training.refresh();
    expect(training.signingKey.kid).toBe("training.2");
    expect(identity.verify("event", bytes("done"), training.sign("event", bytes("done")))).toBe("training");
    expect(identity.verify("event", bytes("done"), former)).toBe("training");
  });

  it("changes nothing before its public part is published, and says so once", () => {
    const { open, replace, logged } = setup();
    using training = open("training");
    replace();
    training.refresh();
    training.refresh();
    expect(training.signingKey.kid).toBe("training");
    expect(logged).toEqual(["the new service keys cannot be used; those before them are kept"]);
  });

  it("changes nothing while a file cannot be looked at, and says so once", () => {
    const { open, directory, logged } = setup();
    using training = open("training");
    const file = join(directory, "service-keys.json");
    rmSync(file);
    symlinkSync(file, file);
    training.refresh();
    training.refresh();
    expect(training.signingKey.kid).toBe("training");
    expect(logged).toEqual(["the new service keys cannot be used; those before them are kept"]);
  });

  it("ends what the former key can do once its public part is taken away", () => {
    const { open, publish, replace, directory } = setup();
    using training = open("training");
    using identity = open("identity");
    const former = training.sign("event", bytes("done"));
    publish();
    replace();
    const file = join(directory, "service-keys.json");
    const { keys } = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ keys: keys.filter(({ kid }: { kid: string }) => kid !== "training") }));
    identity.refresh();
    expect(() => identity.verify("event", bytes("done"), former)).toThrow(SignatureError);
  });
});

describe("files that do not hold keys", () => {
  const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
  const leaked = { ...generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" }), kid: "training" };
  const noName = { keys: [{ ...publicKeySet(new Map([["x", newPrivateKey()]])).keys[0], kid: "Training!" }] };

  it.each([
    ["the key of another service", "SERVICE_KEY_FILE", undefined, "belongs to content: give each service its own key"],
    ["a key that is not published", "SERVICE_KEY_FILE", newPrivateKey(), "add its public part there"],
    ["an RSA key", "SERVICE_KEY_FILE", rsa, "must hold an Ed25519 private key"],
    ["no key", "SERVICE_KEY_FILE", "hello", "must hold an Ed25519 private key"],
    ["no JSON", "SERVICE_KEYS_FILE", "hello", "must be a JWK Set"],
    ["an empty set", "SERVICE_KEYS_FILE", '{"keys":[]}', "must be a JWK Set"],
    ["a private key", "SERVICE_KEYS_FILE", JSON.stringify({ keys: [leaked] }), "has the private key of training"],
    ["a name that is none", "SERVICE_KEYS_FILE", JSON.stringify(noName), "whose kid is not a service's name"],
    [
      "a key of another kind",
      "SERVICE_KEYS_FILE",
      '{"keys":[{"kid":"training","kty":"oct","k":"AA"}]}',
      "is not an Ed25519",
    ],
  ] as const)("(%s) are refused, saying what to do", (_, setting, text, says) => {
    const { files } = installation();
    const own = files("training");
    if (text === undefined) Object.assign(own, { SERVICE_KEY_FILE: files("content").SERVICE_KEY_FILE });
    else writeFileSync(own[setting], text);
    const open = () => new ServiceKeys(own, { service: "training" });
    expect(open).toThrow(ServiceKeyError);
    expect(open).toThrow(says);
    expect(open).toThrow(setting);
  });

  it("are named where they are missing", () => {
    const { files } = installation();
    rmSync(files("training").SERVICE_KEY_FILE);
    expect(() => new ServiceKeys(files("training"), { service: "training" })).toThrow(
      /SERVICE_KEY_FILE names .*ENOENT/,
    );
  });
});

describe("the directory with the keys of an installation", () => {
  it("keeps what it has, and only its owner may read it", () => {
    const { directory, files } = installation();
    const { SERVICE_KEY_FILE: keyFile, SERVICE_KEYS_FILE: keysFile } = files("training");
    const before = [keyFile, keysFile].map((file) => readFileSync(file, "utf8"));
    keepServiceKeys(directory);
    expect([keyFile, keysFile].map((file) => readFileSync(file, "utf8"))).toEqual(before);
    expect(statSync(keyFile).mode & 0o077).toBe(0);
  });

  it("has a key for what is new, beside what was there", () => {
    const { directory, files, open } = installation();
    using before = open("training");
    const signature = before.sign("event", bytes("done"));
    rmSync(files("training").SERVICE_KEY_FILE);
    keepServiceKeys(directory);
    using after = open("training");
    expect(after.signingKey.kid).toBe("training.2");
    expect(after.verify("event", bytes("done"), signature)).toBe("training");
  });
});
