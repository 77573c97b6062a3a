/** How the pages of a provider differ from those of another. */
export interface ProviderLook {
  /** Its name. */
  name: string;
  /** What it is, as a sentence. */
  note: string;
  /** Names that it knows, to choose from. Any other will do as well. */
  accounts?: readonly string[];
}

export const interactionPath = (uid: string, action = ""): string => `/interactions/${uid}${action && `/${action}`}`;

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => escapes[sign] ?? "");

function page({ name, note }: ProviderLook, title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${escaped(name)}</title>
<style>
:root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { width: 22rem; max-width: 100%; padding: 2rem; box-sizing: border-box; }
h1 { font-size: 1.75rem; line-height: 1.2; margin: 0 0 0.75rem; }
label, input { display: block; width: 100%; box-sizing: border-box; }
input, button { font: inherit; padding: 0.5rem 0.75rem; margin: 0.25rem 0 1rem; }
form { display: inline; }
small { display: block; opacity: 0.7; margin-top: 1rem; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
<small>${escaped(note)}</small>
</main>
</body>
</html>
`;
}

/** Asks who is there. Any name will do; there are no passwords. */
export function loginPage(look: ProviderLook, uid: string): string {
  const options = (look.accounts ?? []).map((account) => `<option value="${escaped(account)}">`).join("");
  return page(
    look,
    "Sign in",
    `<form method="post" action="${interactionPath(uid, "login")}">
<label for="account">Name</label>
<input id="account" name="account" required maxlength="64" autocomplete="username" list="accounts" autofocus>
<datalist id="accounts">${options}</datalist>
<button type="submit">Sign in</button>
</form>
<form method="post" action="${interactionPath(uid, "cancel")}"><button type="submit">Cancel</button></form>`,
  );
}

/** Asks the one who is there whether the platform may have what it asks for. */
export function consentPage(
  look: ProviderLook,
  uid: string,
  { account, scopes }: { account: string; scopes: string[] },
): string {
  const wanted = scopes.map((scope) => `<li><code>${escaped(scope)}</code></li>`).join("");
  return page(
    look,
    "Allow access?",
    `<p>${escaped(account)}, the AI platform asks for:</p>
<ul>${wanted}</ul>
<form method="post" action="${interactionPath(uid, "consent")}"><button type="submit">Allow</button></form>
<form method="post" action="${interactionPath(uid, "cancel")}"><button type="submit">Decline</button></form>`,
  );
}

/** For an interaction that is over, or another browser's. */
export const notFoundPage = (look: ProviderLook): string =>
  page(look, "Not found", "<p>This sign-in is over. Begin again where you came from.</p>");
