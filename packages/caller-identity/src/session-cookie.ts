import { parseCookie, stringifySetCookie } from "cookie";
import { hasSessionShape, looksLikeSession } from "./session-credential.ts";

/** Only this host can set a cookie with the prefix, and only over HTTPS. */
const secureName = "__Host-aiplatform-session";
/** Over plain HTTP on this machine, where browsers refuse the prefix. */
const loopbackName = "aiplatform-session";
const loopbackHosts: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/** The cookie in which a browser keeps its session: readable by no script, sent to this host alone and from no other site. */
export class SessionCookie {
  /** The one origin whose pages may use it. */
  readonly origin: string;
  /** Whether browsers reach the platform on this machine only. */
  readonly isLoopback: boolean;
  readonly #name: string;

  private constructor({ origin, protocol }: URL) {
    this.origin = origin;
    this.isLoopback = protocol === "http:";
    this.#name = this.isLoopback ? loopbackName : secureName;
  }

  /** For browsers that reach the platform at `publicUrl`; undefined unless that is https, or http on loopback. */
  static at(publicUrl: string | undefined): SessionCookie | undefined {
    if (publicUrl === undefined || !URL.canParse(publicUrl)) return undefined;
    const url = new URL(publicUrl);
    const isSafe = url.protocol === "https:" || (url.protocol === "http:" && loopbackHosts.has(url.hostname));
    return isSafe ? new SessionCookie(url) : undefined;
  }

  /** The token in a Cookie header; undefined where there is none, or what is there cannot be one. */
  tokenIn(cookies: string | undefined): string | undefined {
    if (cookies === undefined || !cookies.includes(this.#name)) return undefined;
    const token = parseCookie(cookies)[this.#name];
    return token !== undefined && looksLikeSession(token) && hasSessionShape(token) ? token : undefined;
  }

  /** `Set-Cookie` that keeps a token for so many seconds. */
  keep(token: string, maxAgeSeconds: number): string {
    return this.#set(token, maxAgeSeconds);
  }

  /** `Set-Cookie` that removes the cookie. */
  remove(): string {
    return this.#set("", 0);
  }

  #set(value: string, maxAge: number): string {
    const rules = { path: "/", httpOnly: true, sameSite: "strict", secure: !this.isLoopback } as const;
    return stringifySetCookie({ name: this.#name, value, ...rules, maxAge });
  }
}
