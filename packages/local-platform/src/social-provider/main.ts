import { readFile } from "node:fs/promises";
import type { SocialClient } from "./social-client.ts";
import { startSocialProvider } from "./social-provider.ts";

const { HOST = "127.0.0.1", PORT = "0", CLIENT_FILE = "", ISSUER = "", REDIRECT_URI = "" } = process.env;
const client: SocialClient = JSON.parse(await readFile(CLIENT_FILE, "utf8"));
const place = { host: HOST, port: Number(PORT), issuer: ISSUER, redirectUri: REDIRECT_URI };
const server = await startSocialProvider(client, place);
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
