/** What the bearer of every notebook server begins with. */
const prefix = "ain_";
const shape = /^ain_([0-9A-Za-z_-]{16,255})$/;

/** Whether a bearer claims to be of a notebook server, well-formed or not. */
export function looksLikeNotebook(bearer: string): boolean {
  return bearer.startsWith(prefix);
}

/** The hub's own token of a notebook server, which its bearer holds; undefined when there is none. A secret: never logged. */
export function hubTokenOf(bearer: string): string | undefined {
  return shape.exec(bearer)?.[1];
}

/** The credential id of a notebook server, `<user>/<server>` at the hub: what the audit log names. */
export function notebookCredentialId(server: string): string {
  return `notebook:${server}`;
}

/** Whether a credential id is one of a notebook server. */
export function isOfNotebook(credentialId: string): boolean {
  return credentialId.startsWith(notebookCredentialId(""));
}
