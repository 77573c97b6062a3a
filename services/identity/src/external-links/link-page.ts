import escapeHtml from "escape-html";
import type { LinkFailure } from "./external-link.ts";

/** How a member's way back from the provider can end. */
export type LinkOutcome = "linked" | "state_unknown" | "attempt_expired" | "browser_unknown" | LinkFailure;

/** A page as the member's browser gets it. */
export interface LinkPage {
  contentType: string;
  data: Uint8Array;
  status: number;
  /** Where the browser goes instead. */
  location?: string;
  setCookie?: string;
}

/** What a member should know before going on. */
export interface LinkFacts {
  organisation: string;
  /** Who began it. */
  by: string;
  provider: string;
  secretName: string;
  secretDescription: string;
}

interface Row {
  status: number;
  title: string;
  text: string;
}

const again = "Nothing has changed; start again where you began.";

/** What the member reads at the end. It contains nothing of the request, so that an attacker cannot put words into it. */
const linkPages: Readonly<Record<LinkOutcome, Row>> = {
  linked: { status: 200, title: "Linked", text: "The account is linked. You can close this page." },
  state_unknown: {
    status: 400,
    title: "Not linked",
    text: "This address belongs to no link that is under way. It may have been used already. Start again where you began.",
  },
  attempt_expired: { status: 400, title: "Not linked", text: `This took longer than 15 minutes. ${again}` },
  browser_unknown: {
    status: 400,
    title: "Not linked",
    text: "This browser has not gone on from the page that says what is linked. Nothing has changed; open that page in this browser first.",
  },
  access_denied: { status: 400, title: "Not linked", text: `You declined at the provider. ${again}` },
  provider_refused: { status: 400, title: "Not linked", text: `The provider declined. ${again}` },
  response_invalid: { status: 400, title: "Not linked", text: `What came back is not the provider's answer. ${again}` },
  code_refused: {
    status: 400,
    title: "Not linked",
    text: `The provider no longer accepts its own code. ${again}`,
  },
  provider_unavailable: {
    status: 502,
    title: "Not linked",
    text: `The provider does not answer as it should. ${again}`,
  },
  provider_timeout: { status: 504, title: "Not linked", text: `The provider took too long. ${again}` },
};

export function linkPage(outcome: LinkOutcome): LinkPage {
  const { status, title, text } = linkPages[outcome];
  return { ...page(title, `<p>${text}</p>`), status };
}

/** The page before the provider's. `next` is where its link leads. */
export function reviewPage(facts: LinkFacts, next: string): LinkPage {
  const { organisation, by, provider, secretName, secretDescription } = facts;
  const rows = { Organisation: organisation, "Asked for by": by, Account: provider, Name: secretName };
  const described = secretDescription === "" ? rows : { ...rows, "What for": secretDescription };
  const list = Object.entries(described).map(([term, text]) => `<dt>${term}</dt><dd>${escapeHtml(text)}</dd>`);
  return page(
    "Link an account",
    `<p>This organisation will be able to use your account at ${escapeHtml(provider)}.</p>
<dl>
${list.join("\n")}
</dl>
<p>Go on only if you know this organisation, and asked for this yourself. Otherwise close this page: nothing has changed.</p>
<p><a href="${escapeHtml(next)}">Continue to ${escapeHtml(provider)}</a></p>`,
  );
}

function page(title: string, content: string): LinkPage {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { max-width: 28rem; padding: 2rem; overflow-wrap: anywhere; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 0.75rem; }
p { margin: 0 0 1rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 0.25rem 1rem; margin: 0 0 1rem; }
dt { opacity: 0.7; }
dd { margin: 0; }
a { display: inline-block; padding: 0.5rem 1rem; border-radius: 0.375rem; background: #1d4ed8; color: #fff; text-decoration: none; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`;
  return { contentType: "text/html; charset=utf-8", data: Buffer.from(html), status: 200 };
}
