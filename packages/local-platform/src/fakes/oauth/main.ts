import { readFile } from "node:fs/promises";
import { startFakeOauth } from "./fake-oauth.ts";
import type { OauthClient } from "./oauth-client.ts";

const { HOST = "127.0.0.1", PORT = "0", CLIENT_FILE = "", ISSUER = "", REDIRECT_URI = "" } = process.env;
const client: OauthClient = JSON.parse(await readFile(CLIENT_FILE, "utf8"));
const place = { host: HOST, port: Number(PORT), issuer: ISSUER, redirectUri: REDIRECT_URI };
const server = await startFakeOauth(client, place);
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
