import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { type Json, until } from "../mesh/rest.ts";
import type { Described } from "./description.ts";

/** How a step of the story was answered. */
export interface Told {
  readonly status: number;
  /** Without parameters. */
  readonly mediaType: string;
  readonly text: string;
  /** JSON, the first event of a stream, or a text. */
  readonly body: Json;
}

/** Until when a step may be refused because what went before has not reached every service, in seconds. */
const timeoutSeconds = 30;
/** The same after a step failed: long enough for a step that does not need it. */
const afterFailureSeconds = 5;
/** A request that is not answered by then is a failed step, in milliseconds. */
const answerTimeoutMs = 30_000;
/** Refusals that tell of today's state. */
const notYet = new Set([404, 409, 503]);
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Sends the examples of the description to a platform. They tell one story with the same ids throughout: what an example's
 * answer calls by one id and the platform by another is known from then on, and is said by the platform's id in every
 * later request.
 */
export class Storyteller {
  readonly #platform: LocalPlatform["description"];
  readonly #known = new Map<string, string>();
  readonly #bodies = new Map<string, string>();
  #waitsLong = true;

  constructor(platform: LocalPlatform["description"]) {
    this.#platform = platform;
  }

  /** Says what stands for a text of the examples. */
  knows(example: string, real: string): void {
    this.#known.set(example, real);
  }

  /** Says what an operation sends whose body is no JSON. */
  sends(operationId: string, body: string): void {
    this.#bodies.set(operationId, body);
  }

  /** The platform's word for a text of the examples. */
  real(example: string): string {
    return this.#known.get(example) ?? example;
  }

  /** After a failed step, each one that needs what it makes would wait until its time is up: from now on none waits for long. */
  waitLess(): void {
    this.#waitsLong = false;
  }

  /** How long a step waits for the ones before it, in seconds. */
  waitSeconds(seconds: number): number {
    return this.#waitsLong ? seconds : Math.min(seconds, afterFailureSeconds);
  }

  /** Sends an operation's example, again while it comes too early; by default it comes to its own status. */
  async tell(
    described: Described,
    bearer: string | null = this.#platform.bearer,
    wanted: number = described.status,
  ): Promise<Told> {
    const request = this.#requestOf(described, bearer);
    const send = () => (described.status === 200 && isStream(described) ? this.#follow(request) : this.#ask(request));
    const told = await until(
      `${described.id} not to come too early`,
      this.waitSeconds(timeoutSeconds),
      send,
      ({ status }) => status === wanted || !notYet.has(status),
    );
    this.learn(exampleAnswer(described), told.body);
    return told;
  }

  /** Learns ids from an answer that stands for an example's. */
  learn(example: Json, real: Json): void {
    if (typeof example === "string" && typeof real === "string") {
      if (uuid.test(example) && uuid.test(real) && !this.#known.has(example)) this.#known.set(example, real);
    } else if (typeof example === "object" && example !== null && typeof real === "object" && real !== null) {
      for (const key of Object.keys(example)) this.learn(example[key], real[key]);
    }
  }

  #requestOf({ id, method, path, operation }: Described, bearer: string | null): Request {
    const url = new URL(this.#platform.gateway);
    const headers = new Headers(bearer === null ? {} : { authorization: `Bearer ${bearer}` });
    let filled = path;
    for (const { in: place, name, example } of operation.parameters ?? []) {
      if (example === undefined) continue;
      const values: string[] = [example].flat().map((value) => this.real(`${value}`));
      if (place === "path") filled = filled.replace(`{${name}}`, encodeURIComponent(values[0] ?? ""));
      // Other tests on the same platform may have sent the example's key with another body.
      else if (name === "Idempotency-Key") headers.set(name, randomUUID());
      else if (place === "header") headers.set(name, values[0] ?? "");
      else for (const value of values) url.searchParams.append(name, value);
    }
    url.pathname = filled;
    const bytes = this.#bodies.get(id);
    if (bytes !== undefined) return new Request(url, { method, headers, body: bytes });
    const body = operation.requestBody?.content["application/json"].example;
    if (body === undefined) return new Request(url, { method, headers });
    headers.set("content-type", "application/json");
    return new Request(url, { method, headers, body: JSON.stringify(this.#translated(body)) });
  }

  #translated(value: Json): Json {
    if (typeof value === "string") return this.real(value);
    if (Array.isArray(value)) return value.map((item) => this.#translated(item));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, this.#translated(inner)]));
  }

  async #ask(request: Request): Promise<Told> {
    const response = await fetch(request.clone(), {
      signal: AbortSignal.timeout(answerTimeoutMs),
      redirect: "manual",
    });
    const text = await response.text();
    const mediaType = mediaTypeOf(response);
    return {
      status: response.status,
      mediaType,
      text,
      body: mediaType === "application/json" ? JSON.parse(text) : text,
    };
  }

  /** The first event of a stream. */
  async #follow(request: Request): Promise<Told> {
    const over = new AbortController();
    const signal = AbortSignal.any([over.signal, AbortSignal.timeout(timeoutSeconds * 1_000)]);
    const response = await fetch(request.clone(), { signal, headers: withAccept(request) });
    let text = "";
    try {
      for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += piece;
        if (/^data: .*\n\n/m.test(text)) break;
      }
    } finally {
      over.abort();
    }
    const data = /^data: (.*)$/m.exec(text)?.[1];
    const body: Json = data === undefined ? text : JSON.parse(data);
    return { status: response.status, mediaType: mediaTypeOf(response), text, body };
  }
}

/** The body that an operation's example answers with. */
function exampleAnswer({ operation, status }: Described): Json {
  const [content] = Object.values<Json>(operation.responses[status].content);
  return content.example;
}

function isStream({ operation, status }: Described): boolean {
  return "text/event-stream" in operation.responses[status].content;
}

function withAccept({ headers }: Request): Headers {
  return new Headers([...headers, ["accept", "text/event-stream"]]);
}

function mediaTypeOf(response: Response): string {
  return response.headers.get("content-type")?.split(";")[0] ?? "";
}
