import type { IncomingMessage, ServerResponse } from "node:http";
import type { CaughtMail, CaughtMails } from "./caught-mail.ts";

/** Mails are strangers' text: nothing in them is loaded or run. */
const policy = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
  "x-content-type-options": "nosniff",
};

/** Answers `/` with a page, `/mails` with JSON, and `/mails/{id}` with a mail as it came. */
export function answerMails(mails: CaughtMails, request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const id = /^\/mails\/(\d+)$/.exec(pathname)?.[1];
  const mail = id === undefined ? undefined : mails.find(Number(id));
  if (pathname === "/") send(response, "text/html; charset=utf-8", page(mails.all));
  else if (pathname === "/mails") send(response, "application/json", JSON.stringify(mails.all));
  else if (mail) send(response, "text/plain; charset=utf-8", mail.source);
  else response.writeHead(404, policy).end();
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { ...policy, "content-type": type, "cache-control": "no-store" }).end(body);
}

function page(mails: readonly CaughtMail[]): string {
  const rows = mails.map(
    ({ id, received_at, from, to, subject }) =>
      `<tr><td>${received_at}<td>${escaped(from)}<td>${escaped(to.join(", "))}<td><a href="/mails/${id}">${escaped(subject) || "(no subject)"}</a>`,
  );
  const list = rows.length > 0 ? `<table>${rows.join("\n")}</table>` : "<p>None yet.";
  return `<!doctype html><title>Caught e-mails</title>
<style>body{font:1rem sans-serif;margin:2rem}td{padding:.2rem 1rem .2rem 0}</style>
<h1>Caught e-mails</h1>
<p>What the platform sent, newest first; none of it left this machine. The same as <a href="/mails">JSON</a>.
${list}
`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
