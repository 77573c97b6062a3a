import { readFile } from "node:fs/promises";
import { startFakeOidc } from "./fake-oidc.ts";
import type { OidcIdentity } from "./oidc-identity.ts";

const { HOST = "127.0.0.1", PORT = "0", IDENTITY_FILE = "" } = process.env;
const identity: OidcIdentity = JSON.parse(await readFile(IDENTITY_FILE, "utf8"));
const server = await startFakeOidc(identity, Number(PORT), HOST);
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
