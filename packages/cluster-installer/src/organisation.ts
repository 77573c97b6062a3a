import { once } from "node:events";
import { createInterface } from "node:readline";
import { readSecrets } from "./cluster-secrets.ts";
import { InstallError } from "./errors.ts";
import type { Surroundings } from "./install.ts";
import type { Kubectl } from "./kubectl.ts";
import { mainNamespace } from "./manifest.ts";

/** The organisation to make. */
export interface NewOrganisation {
  slug: string;
  name: string;
  /** E-mail address of its first member. */
  administrator: string;
}

/** Makes an organisation as the installation's operator. Returns a key of it, which is shown this once. @throws InstallError */
export async function createOrganisation(
  { kubectl, log }: Surroundings,
  { slug, name, administrator }: NewOrganisation,
): Promise<string> {
  const operatorKey = (await readSecrets(kubectl)).get("aiplatform-identity")?.get("operator-key");
  if (!operatorKey) {
    throw new InstallError(
      "The Secret aiplatform-identity has no operator-key: organisations cannot be created without it.",
    );
  }
  await using gateway = await forwardGateway(kubectl);
  log(`asking the gateway for the organisation ${slug}`);
  const answer = await fetch(`${gateway.url}/platform/organisations`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${Buffer.from(operatorKey, "base64").toString("utf8").trim()}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ slug, name, administrator: { display_name: administrator, email: administrator } }),
  });
  const body = await answer.text();
  if (answer.status === 409) throw new InstallError(`There is an organisation ${slug} already.`);
  if (answer.status !== 201) throw new InstallError(`The gateway refused with ${answer.status}: ${body}`);
  return JSON.parse(body).api_key_secret;
}

/** A way from here to the gateway, for as long as it is held. */
async function forwardGateway(kubectl: Kubectl): Promise<AsyncDisposable & { url: string }> {
  const child = kubectl.start(["port-forward", "--namespace", mainNamespace, "service/gateway", ":8080"]);
  const ended = once(child, "close");
  const close = async () => {
    child.kill();
    await ended;
  };
  child.stderr?.resume();
  if (child.stdout) {
    for await (const line of createInterface(child.stdout)) {
      const [, port] = /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line) ?? [];
      if (port) return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: close };
    }
  }
  await close();
  throw new InstallError("The gateway cannot be reached through the API server; npm run k8s -- status says more.");
}
