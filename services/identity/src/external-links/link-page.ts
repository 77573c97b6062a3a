import type { LinkFailure } from "./external-link.ts";

/** How a member's way back from the provider can end. */
export type LinkOutcome = "linked" | "state_unknown" | "attempt_expired" | LinkFailure;

/** A page as the member's browser gets it. */
export interface LinkPage {
  contentType: string;
  data: Uint8Array;
  status: number;
}

interface Row {
  status: number;
  title: string;
  text: string;
}

const again = "Nothing has changed; start again where you began.";

/** What the member reads. It contains nothing of the request, so that an attacker cannot put words into it. */
const linkPages: Readonly<Record<LinkOutcome, Row>> = {
  linked: { status: 200, title: "Linked", text: "The account is linked. You can close this page." },
  state_unknown: {
    status: 400,
    title: "Not linked",
    text: "This address belongs to no link that is under way. It may have been used already. Start again where you began.",
  },
  attempt_expired: { status: 400, title: "Not linked", text: `This took longer than 15 minutes. ${again}` },
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

/** The page for an outcome. */
export function linkPage(outcome: LinkOutcome): LinkPage {
  const { status, title, text } = linkPages[outcome];
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { max-width: 28rem; padding: 2rem; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 0.75rem; }
p { margin: 0; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</body>
</html>
`;
  return { contentType: "text/html; charset=utf-8", data: Buffer.from(html), status };
}
