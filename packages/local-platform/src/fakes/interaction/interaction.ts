import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type Provider from "oidc-provider";
import type { Interaction } from "oidc-provider";
import { consentPage, interactionPath, loginPage, notFoundPage, type ProviderLook } from "./interaction-pages.ts";

/** A request of a person who signs in or agrees. */
interface InteractionRequest {
  provider: Provider;
  request: IncomingMessage;
  response: ServerResponse;
  /** Which form was sent; absent when the page is asked for. */
  action: string | undefined;
  look: ProviderLook;
}

/** Answers the pages on which people sign in and agree, and leaves all else to the protocol. */
export function withInteractions(provider: Provider, look: ProviderLook): Server {
  const protocol = provider.callback();
  return createServer((request, response) => {
    const [, uid, action] = /^\/interactions\/([\w-]+)(?:\/(\w+))?$/.exec(request.url ?? "") ?? [];
    const answered = uid
      ? handleInteraction({ provider, request, response, action, look })
      : protocol(request, response);
    answered.catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
}

/** Where the provider sends a browser whose person is to do something. */
export const interactions = { url: (_context: unknown, { uid }: Interaction) => interactionPath(uid) };

const maxFormBytes = 4096;

/** Shows the form of the present step, or goes on with one that was filled in. */
async function handleInteraction(interactionRequest: InteractionRequest): Promise<void> {
  const { provider, request, response, action, look } = interactionRequest;
  let interaction: Interaction;
  try {
    interaction = await provider.interactionDetails(request, response);
  } catch {
    // The browser's cookie names no interaction.
    return show(response, 404, notFoundPage(look));
  }
  if (request.method === "GET" && !action) return show(response, 200, formOf(look, interaction));
  const result = request.method === "POST" ? await answerOf(interaction, interactionRequest) : undefined;
  if (!result) return show(response, 404, notFoundPage(look));
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: action === "consent" });
}

function formOf(look: ProviderLook, { uid, session, prompt }: Interaction): string {
  if (prompt.name === "login") return loginPage(look, uid);
  const scopes = prompt.details.missingOIDCScope ?? [];
  return consentPage(look, uid, { account: session?.accountId ?? "", scopes });
}

/** What the protocol goes on with after a form; undefined when the step has no such form, or it was left empty. */
async function answerOf(
  { prompt, session, params }: Interaction,
  { provider, request, action }: InteractionRequest,
): Promise<object | undefined> {
  if (action === "cancel") return { error: "access_denied", error_description: "The person declined" };
  if (action === "login" && prompt.name === "login") {
    if (Number(request.headers["content-length"] ?? maxFormBytes + 1) > maxFormBytes) return undefined;
    const accountId = new URLSearchParams(await text(request)).get("account");
    return accountId ? { login: { accountId } } : undefined;
  }
  if (action === "consent" && prompt.name === "consent" && session) {
    const grant = new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
    grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(" "));
    return { consent: { grantId: await grant.save() } };
  }
  return undefined;
}

function show(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
  });
  response.end(html);
}
