import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CertificateAuthority, writeCertificate } from "@aiplatform/testkit/certificate-authority";
import { beforeAll, describe, expect, it } from "vitest";
import { complaints, disposeAfterAll, examined, folder } from "../../packages/doctor/tests/rig.ts";

disposeAfterAll();

const directory = folder();
const file = (name: string) => join(directory, name);

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

beforeAll(async () => {
  const authority = await CertificateAuthority.create("authority", 365);
  const dates = { notBefore: new Date("2020-01-01T00:00:00Z"), notAfter: new Date("2021-01-01T00:00:00Z") };
  await writeCertificate(directory, await authority.issue({ notAfter: inDays(90) }), authority.pem);
  await writeFile(file("short.crt"), (await CertificateAuthority.create("short-lived", 3)).pem);
  const expired = await authority.issue(dates);
  await writeFile(file("expired.crt"), expired.cert);
  await writeFile(file("expired.key"), expired.key);
  await writeFile(file("stranger.crt"), (await CertificateAuthority.create("stranger", 365)).pem);
});

describe("the doctor, shown certificates", () => {
  it.each([
    ["that go together", {}, []],
    ["of which one is missing", { TLS_CA_FILE: "" }, [/TLS_CA_FILE not set → .*all or none/]],
    ["that cannot be read", { TLS_KEY_FILE: "/nowhere" }, [/TLS_KEY_FILE \/nowhere cannot be read: ENOENT/]],
    ["that hold something else", { TLS_CERT_FILE: file("tls.key") }, [/TLS_CERT_FILE holds none/]],
    [
      "that have expired",
      { TLS_CERT_FILE: file("expired.crt"), TLS_KEY_FILE: file("expired.key") },
      [/TLS_CERT_FILE \(CN=a service of the mesh\) expired on 2021-01-01.* → renew it/],
    ],
    [
      "that will soon",
      { TLS_CA_FILE: file("short.crt") },
      [/TLS_CA_FILE \(CN=short-lived\) is good for [23] days only/, /of no authority in TLS_CA_FILE/],
    ],
    [
      "of another authority",
      { TLS_CA_FILE: file("stranger.crt") },
      [/of no authority in TLS_CA_FILE → issue it again/],
    ],
    ["with the key of another", { TLS_CERT_FILE: file("ca.crt") }, [/TLS_KEY_FILE is not the key of the certificate/]],
  ] as const)("%s says so", async (_title, settings, patterns) => {
    const good = { TLS_CERT_FILE: file("tls.crt"), TLS_KEY_FILE: file("tls.key"), TLS_CA_FILE: file("ca.crt") };
    const found = complaints(await examined("identity", { ...good, ...settings }, { checks: ["tls"] }));
    expect(found).toEqual(patterns.map((pattern) => expect.stringMatching(pattern)));
  });
});
