import { readFile } from "node:fs/promises";
import { startSocialNetwork } from "../social-network/social-network.ts";
import type { SocialNetworkIdentity } from "../social-network/social-network-identity.ts";
import { startIdentityProvider } from "./identity-provider.ts";
import type { ProviderIdentity } from "./provider-identity.ts";

const { HOST: host = "127.0.0.1", PORT = "0", IDENTITY_FILE = "" } = process.env;
const { SOCIAL_NETWORK_PORT = "0", SOCIAL_NETWORK_FILE = "", SOCIAL_NETWORK_REDIRECT_URI = "" } = process.env;
const identity: ProviderIdentity = JSON.parse(await readFile(IDENTITY_FILE, "utf8"));
const social: SocialNetworkIdentity = JSON.parse(await readFile(SOCIAL_NETWORK_FILE, "utf8"));
const servers = [
  // First: whoever sees the identity provider answer may count on both.
  await startSocialNetwork(social, {
    host,
    port: Number(SOCIAL_NETWORK_PORT),
    redirectUri: SOCIAL_NETWORK_REDIRECT_URI,
  }),
  await startIdentityProvider(identity, Number(PORT), host),
];
process.once("SIGTERM", () => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});
