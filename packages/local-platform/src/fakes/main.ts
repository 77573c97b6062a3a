// The fakes, or one of them: FAKES names those that this process is.
import { readFile } from "node:fs/promises";

const { FAKES = "", HOST: host = "127.0.0.1" } = process.env;
const setting = (name: string) => process.env[name] ?? "";
const port = (name: string) => Number(setting(name));
const readJson = async (path: string) => JSON.parse(await readFile(path, "utf8"));

/** Starts each. They share nothing; what one does not need is not loaded. */
const starts: Record<string, () => Promise<unknown>> = {
  async oidc() {
    const { startFakeOidc } = await import("./oidc/fake-oidc.ts");
    return startFakeOidc(await readJson(setting("OIDC_IDENTITY_FILE")), port("OIDC_PORT"), host);
  },
  async oauth() {
    const { startFakeOauth } = await import("./oauth/fake-oauth.ts");
    const place = { host, port: port("OAUTH_PORT"), issuer: setting("OAUTH_ISSUER") };
    const client = await readJson(setting("OAUTH_CLIENT_FILE"));
    return startFakeOauth(client, { ...place, redirectUri: setting("OAUTH_REDIRECT_URI") });
  },
  async smtp() {
    const { startFakeSmtp } = await import("./smtp/fake-smtp.ts");
    return startFakeSmtp({ host, smtpPort: port("SMTP_PORT"), httpPort: port("SMTP_HTTP_PORT") });
  },
  async llm() {
    const { startFakeLlm } = await import("./llm/fake-llm.ts");
    return startFakeLlm({ host, port: port("LLM_PORT") });
  },
};

// They keep nothing that would have to be written.
process.once("SIGTERM", () => process.exit(0));
await Promise.all(FAKES.split(",").map((name) => starts[name]?.()));
