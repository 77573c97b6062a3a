import { readFile } from "node:fs/promises";
import { startIdentityProvider } from "./identity-provider.ts";
import type { ProviderIdentity } from "./provider-identity.ts";

const { HOST = "127.0.0.1", PORT = "0", IDENTITY_FILE = "" } = process.env;
const identity: ProviderIdentity = JSON.parse(await readFile(IDENTITY_FILE, "utf8"));
const server = await startIdentityProvider(identity, Number(PORT), HOST);
process.once("SIGTERM", () => {
  server.close();
  server.closeAllConnections();
});
