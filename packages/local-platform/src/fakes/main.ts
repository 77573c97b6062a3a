// A fake of what the platform talks to: FAKE names it.
import { readFile } from "node:fs/promises";

type Environment = Readonly<Record<string, string | undefined>>;

const setting = (env: Environment, name: string) => env[name] ?? "";
const port = (env: Environment, name: string) => Number(setting(env, name));
const readJson = async (env: Environment, name: string) => JSON.parse(await readFile(setting(env, name), "utf8"));
const hostOf = ({ HOST = "127.0.0.1" }: Environment) => HOST;

/** They share nothing; what one does not need is not loaded. */
const starts: Record<string, (env: Environment) => Promise<unknown>> = {
  async oidc(env) {
    const { startFakeOidc } = await import("./oidc/fake-oidc.ts");
    const place = { host: hostOf(env), port: port(env, "OIDC_PORT") };
    const identity = await readJson(env, "OIDC_IDENTITY_FILE");
    const secret = await readFile(setting(env, "OIDC_CONSOLE_SECRET_FILE"), "utf8");
    const client = { secret, redirectUri: setting(env, "OIDC_REDIRECT_URI") };
    return startFakeOidc(identity, place, client);
  },
  async oauth(env) {
    const { startFakeOauth } = await import("./oauth/fake-oauth.ts");
    const place = { host: hostOf(env), port: port(env, "OAUTH_PORT"), issuer: setting(env, "OAUTH_ISSUER") };
    const client = await readJson(env, "OAUTH_CLIENT_FILE");
    return startFakeOauth(client, { ...place, redirectUri: setting(env, "OAUTH_REDIRECT_URI") });
  },
  async smtp(env) {
    const { startFakeSmtp } = await import("./smtp/fake-smtp.ts");
    return startFakeSmtp({
      host: hostOf(env),
      smtpPort: port(env, "SMTP_PORT"),
      httpPort: port(env, "SMTP_HTTP_PORT"),
    });
  },
  async llm(env) {
    const { startFakeLlm } = await import("./llm/fake-llm.ts");
    return startFakeLlm({ host: hostOf(env), port: port(env, "LLM_PORT") });
  },
};

/** Starts the fake, which ends with its process: it keeps nothing that would have to be written. */
export async function start(env: Environment) {
  const name = setting(env, "FAKE");
  await starts[name]?.(env);
  const stop = async () => {};
  return { name, addresses: {}, stop, [Symbol.asyncDispose]: stop };
}

if (import.meta.main) {
  process.once("SIGTERM", () => process.exit(0));
  await start(process.env);
}
