import type { Description } from "./description.ts";

const timeoutMs = 5_000;

/**
 * The address at which a person signs in to the console with one click: once, and within five minutes. Where it cannot be made, the console's
 * own address; undefined where there is no console.
 */
export async function signInLink({ gateway, bearer }: Description): Promise<string | undefined> {
  let page = gateway;
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    // The gateway's own address leads there.
    const shown = await fetch(gateway, { method: "HEAD", signal });
    if (!shown.ok) return undefined;
    page = shown.url;
    const headers = { authorization: `Bearer ${bearer}`, "content-type": "application/json" };
    const made = await fetch(`${gateway}/platform/sign-in-codes`, { method: "POST", headers, body: "{}", signal });
    const answer: unknown = await made.json();
    const isLink = typeof answer === "object" && answer !== null && "sign_in_url" in answer;
    return isLink && typeof answer.sign_in_url === "string" ? answer.sign_in_url : page;
  } catch {
    return page;
  }
}
