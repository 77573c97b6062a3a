import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { describe, expect, it } from "vitest";
import { answering, complaints, disposeAfterAll, examined, folder, keep, listening } from "./rig.ts";

disposeAfterAll();

describe("the mail server", () => {
  const look = async (settings: Record<string, string>) =>
    complaints(await examined("content", { MAIL_FROM: "a@b.example", ...settings }, { checks: ["smtp"] }));
  const server = async (options: ConstructorParameters<typeof SMTPServer>[0]) => {
    const smtp = new SMTPServer({ logger: false, disableReverseLookup: true, ...options });
    smtp.on("error", () => {});
    keep(() => new Promise((resolve) => smtp.close(() => resolve(undefined))));
    return new Promise<number>((resolve) => {
      const listener = smtp.listen(0, "127.0.0.1", () => {
        const address = listener.address();
        resolve(typeof address === "object" && address ? address.port : 0);
      });
    });
  };

  it("behind a closed port is told with the ports that are usual", async () => {
    expect(await look({ SMTP_URL: "smtp://127.0.0.1:1" })).toEqual([
      expect.stringMatching(
        /^failed smtp: 127.0.0.1:1: The mail server cannot be reached → SMTP_URL names host and port; 587/,
      ),
    ]);
  });

  it("without STARTTLS, or with an untrusted certificate, is told with SMTP_TLS", async () => {
    const plain = await server({ disabledCommands: ["STARTTLS"], authOptional: true });
    const untrusted = await server({ authOptional: true });
    for (const port of [plain, untrusted])
      expect(await look({ SMTP_URL: `smtp://127.0.0.1:${port}` })).toEqual([
        expect.stringMatching(/^failed smtp: .*No secure connection.* → .*SMTP_TLS=/),
      ]);
    expect(await look({ SMTP_URL: `smtp://127.0.0.1:${plain}`, SMTP_TLS: "off" })).toEqual([]);
  });

  it("that refuses the login is told, and the login is not", async () => {
    const port = await server({
      disabledCommands: ["STARTTLS"],
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) =>
        done(password === "right" ? null : new Error(`not ${password}`), { user: "u" }),
    });
    const [complaint] = await look({ SMTP_URL: `smtp://u:secret-word@127.0.0.1:${port}`, SMTP_TLS: "off" });
    expect(complaint).toMatch(/refuses the platform's login → user name and password in SMTP_URL/);
    expect(complaint).not.toContain("secret-word");
    expect(await look({ SMTP_URL: `smtp://u:right@127.0.0.1:${port}`, SMTP_TLS: "off" })).toEqual([]);
  });
});

describe("an identity provider", () => {
  const look = async (issuer: string, more: object = {}) => {
    const issuers = JSON.stringify([{ issuer, audience: "aiplatform", allow_http: true, ...more }]);
    const settings = { OIDC_ISSUERS: issuers, OUTBOUND_ALLOWED_NETWORKS: "127.0.0.0/8" };
    return complaints(await examined("identity", settings, { checks: ["issuer"] }));
  };

  it.each([
    ["answers rubbish", "<html>", "is not valid JSON"],
    ["speaks for another", '{"issuer":"https://other.example","jwks_uri":"http://127.0.0.1/"}', "names another issuer"],
  ])("that %s is told with OIDC_ISSUERS", async (_, body, reason) => {
    const issuer = await answering((_request, response) => response.end(body));
    const [complaint, ...more] = await look(issuer);
    expect(complaint).toMatch(
      new RegExp(`^failed issuer: ${issuer} for audience aiplatform: .*${reason}.* → in OIDC_ISSUERS issuer`),
    );
    expect(more).toEqual([]);
  });

  it("whose keys are no keys, or which is away, is told with its address", async () => {
    const issuer = await answering((_request, response) => response.end('{"keys": "none"}'));
    expect(await look(issuer, { jwks_uri: `${issuer}/jwks` })).toEqual([
      expect.stringMatching(/→ in OIDC_ISSUERS jwks_uri has to answer a JSON Web Key Set/),
    ]);
    expect(await look("http://127.0.0.1:1")).toEqual([expect.stringMatching(/^failed issuer: http:\/\/127.0.0.1:1 /)]);
  });
});

describe("what stands around a service", () => {
  it("is told when it is away: peers, collector, artifacts", async () => {
    const training = { IDENTITY_ADDRESS: "127.0.0.1:1", OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
    expect(complaints(await examined("training", training, { checks: ["peers", "telemetry"] }))).toEqual([
      expect.stringMatching(/^failed telemetry: .*fetch failed: bad port → OTEL_EXPORTER_OTLP_ENDPOINT/),
      expect.stringMatching(/^failed peers: .* → IDENTITY_ADDRESS names the replicas/),
    ]);
    const deployments = { ARTIFACTS_DIRECTORY: join(folder(), "none"), SERVING_HOST: "192.0.2.1" };
    expect(complaints(await examined("deployments", deployments, { checks: ["artifacts", "serving"] }))).toEqual([
      expect.stringMatching(/^failed artifacts: ENOENT.* → ARTIFACTS_DIRECTORY is a directory that/),
      expect.stringMatching(/^failed serving: processes cannot listen on 192.0.2.1: .* → SERVING_HOST/),
    ]);
    const file = join(folder(), "file");
    writeFileSync(file, "");
    const data = { DATA_DIRECTORY: file };
    expect(complaints(await examined("data", data, { checks: ["directory"] }))).toEqual([
      expect.stringMatching(
        /^failed directory: .* → DATA_DIRECTORY is a directory that the service's user may write to/,
      ),
    ]);
    const room = { DATA_CACHE_BYTES: "17592186044416" };
    expect(complaints(await examined("data", room, { checks: ["directory"] }))).toEqual([
      expect.stringMatching(
        /^warning directory: .* the settings may need 16384.1 GiB → make it larger, or lower DATA_CACHE/,
      ),
    ]);
  });

  it("is told when it takes our port", async () => {
    const port = await listening(createServer((_request, response) => response.end("something else")));
    const found = await examined("training", { ADMIN_PORT: String(port) }, { checks: ["ports"] });
    expect(complaints(found)).toEqual([
      `failed ports: ADMIN_PORT 127.0.0.1:${port} is taken by something else → stop it, or set ADMIN_PORT of training to a port that is free`,
    ]);
  });

  it("is told when a cluster does not give the driver its rights", async () => {
    const server = await answering(async (request, response) => {
      const { spec } = JSON.parse(Buffer.concat(await Array.fromAsync(request)).toString());
      const { verb, resource } = spec.resourceAttributes;
      const allowed = !(verb === "delete" && resource === "secrets");
      const review = {
        apiVersion: "authorization.k8s.io/v1",
        kind: "SelfSubjectAccessReview",
        spec,
        status: { allowed },
      };
      response.setHeader("content-type", "application/json").end(JSON.stringify(review));
    });
    const kubeconfig = join(folder(), "kubeconfig");
    const names = { cluster: "c", user: "u" };
    const config = {
      clusters: [{ name: "c", cluster: { server, "insecure-skip-tls-verify": true } }],
      users: [{ name: "u", user: {} }],
      contexts: [{ name: "x", context: names }],
      "current-context": "x",
    };
    writeFileSync(kubeconfig, JSON.stringify(config));
    const settings = {
      SERVING_DRIVER: "kubernetes",
      SERVING_IMAGE: "i:1",
      SERVING_FILES_URL: "http://x",
      KUBECONFIG: kubeconfig,
    };
    expect(complaints(await examined("deployments", settings, { checks: ["serving"] }))).toEqual([
      expect.stringMatching(
        /^failed serving: in aiplatform-serving the service may not delete secrets → bind the role/,
      ),
    ]);
  });
});
