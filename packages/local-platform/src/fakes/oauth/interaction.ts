import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import type Provider from "oidc-provider";
import type { Interaction } from "oidc-provider";
import { consentPage, loginPage, notFoundPage } from "./interaction-pages.ts";

/** A request of a person who signs in or agrees. */
export interface InteractionRequest {
  provider: Provider;
  request: IncomingMessage;
  response: ServerResponse;
  /** Which form was sent; absent when the page is asked for. */
  action: string | undefined;
}

const maxFormBytes = 4096;

/** Shows the form of the present step, or goes on with one that was filled in. */
export async function handleInteraction(interactionRequest: InteractionRequest): Promise<void> {
  const { provider, request, response, action } = interactionRequest;
  let interaction: Interaction;
  try {
    interaction = await provider.interactionDetails(request, response);
  } catch {
    // The browser's cookie names no interaction.
    return show(response, 404, notFoundPage());
  }
  if (request.method === "GET" && !action) return show(response, 200, formOf(interaction));
  const result = request.method === "POST" ? await answerOf(interaction, interactionRequest) : undefined;
  if (!result) return show(response, 404, notFoundPage());
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: action === "consent" });
}

function formOf({ uid, session, prompt }: Interaction): string {
  if (prompt.name === "login") return loginPage(uid);
  return consentPage(uid, { account: session?.accountId ?? "", scopes: prompt.details.missingOIDCScope ?? [] });
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
