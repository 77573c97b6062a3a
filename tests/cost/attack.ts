import type { LocalPlatform } from "@aiplatform/local-platform";
import { type Json, until } from "../mesh/rest.ts";
import { anonymousOperations, byOperator } from "../openapi/story.ts";
import type { Storyteller } from "../openapi/storyteller.ts";
import type { EventLoops, Spent } from "./event-loops.ts";
import { nameOf, type TextField, withText } from "./text-fields.ts";
import { bodySizes, headSizes, runs, worstText } from "./worst-texts.ts";

/** Milliseconds of CPU that one request may cost an event loop. */
export const maxCpuMs = 50;
/** How many times as much twice the text may cost. Linear is two; the rest is noise. */
const maxGrowth = 3;
/** Below this, growth says nothing: other work of the process outweighs it. */
const tellingMs = 20;
/** What one request leaves behind for a moment later, such as garbage, is paid by the next: an average of so many. */
const timesEach = 4;
/** Other work and a busy machine only add: the least of so many averages. */
const tries = 8;

/** What the work costs; `enough` is little enough not to look more closely. */
export async function minSpent(loops: EventLoops, work: () => Promise<unknown>, enough = maxCpuMs): Promise<Spent> {
  let least = await loops.spentOn(work, 1);
  for (let left = tries; left > 0 && least.ms > enough; left--) {
    const again = await loops.spentOn(work, timesEach);
    if (again.ms < least.ms) least = again;
  }
  return least;
}

/** Sends worst texts to places of requests, and looks at what they cost. */
export class Attack {
  readonly #platform: LocalPlatform["description"];
  readonly #operatorKey: string;
  readonly #loops: EventLoops;
  readonly #teller: Pick<Storyteller, "real">;

  /** `teller` knows what the platform calls the things of the examples. */
  constructor(o: {
    platform: LocalPlatform;
    operatorKey: string;
    loops: EventLoops;
    teller: Pick<Storyteller, "real">;
  }) {
    this.#platform = o.platform.description;
    this.#operatorKey = o.operatorKey;
    this.#loops = o.loops;
    this.#teller = o.teller;
  }

  /** What costs too much, one line each. `sizes`: bytes of the texts. */
  async findings(field: TextField, names: readonly string[], sizes = sizesOf(field)): Promise<string[]> {
    const found: string[] = [];
    for (const name of names) {
      const finding = await this.#finding(field, name, sizes);
      if (finding !== undefined) found.push(`${nameOf(field)}, ${name}: ${finding}`);
    }
    return found;
  }

  /** Says when a text of one size costs too much. */
  async tooDear(field: TextField, name: string, size: number): Promise<string[]> {
    const { loop, ms } = await this.#cost(field, name, size, maxCpuMs);
    return ms > maxCpuMs ? [`${nameOf(field)}, ${name}: ${size} bytes cost ${loop} ${ms.toFixed(0)} ms`] : [];
  }

  async #finding(field: TextField, name: string, sizes: readonly number[]): Promise<string | undefined> {
    for (const size of sizes) {
      const { loop, ms } = await this.#cost(field, name, size);
      if (ms > maxCpuMs) return `${size} bytes cost ${loop} ${ms.toFixed(0)} ms`;
      if (ms <= tellingMs) continue;
      const half = (await this.#cost(field, name, size / 2)).ms;
      if (ms > maxGrowth * half) {
        return `${size / 2} bytes cost ${half.toFixed(1)} ms, twice as many cost ${loop} ${ms.toFixed(1)} ms`;
      }
    }
    return undefined;
  }

  /** Looked at closely only when the first request costs more than `enough`. */
  async #cost(field: TextField, name: string, size: number, enough = tellingMs): Promise<Spent> {
    const run = runs[name];
    if (run === undefined) throw new Error(`there is no run of ${name}`);
    const request = this.#request(field, worstText(run, size));
    return await minSpent(this.#loops, () => send(request), enough);
  }

  /** An example in the platform's words. */
  #translate(example: Json): Json {
    if (typeof example === "string") return this.#teller.real(example);
    if (Array.isArray(example)) return example.map((item) => this.#translate(item));
    if (typeof example !== "object" || example === null) return example;
    return Object.fromEntries(Object.entries(example).map(([key, inner]) => [key, this.#translate(inner)]));
  }

  #request({ operation: { id, method, path, operation }, place, path: at }: TextField, text: string): Request {
    const url = new URL(this.#platform.gateway);
    const credential = byOperator.has(id) ? this.#operatorKey : this.#platform.bearer;
    const headers = new Headers(anonymousOperations.has(id) ? {} : { authorization: `Bearer ${credential}` });
    let filled = path;
    for (const { in: where, name, example } of operation.parameters ?? []) {
      const isIt = where === place && name === at[0];
      if (!isIt && example === undefined) continue;
      const values: string[] = isIt ? [text] : [example].flat().map((value) => `${this.#translate(value)}`);
      if (where === "path") filled = filled.replace(`{${name}}`, () => encodeURIComponent(values[0] ?? ""));
      else if (where === "header") headers.set(name, headerText(values[0] ?? ""));
      else for (const value of values) url.searchParams.append(name, value);
    }
    url.pathname = filled;
    const example = operation.requestBody?.content["application/json"]?.example;
    if (example === undefined) return new Request(url, { method, headers });
    headers.set("content-type", "application/json");
    const body = this.#translate(example);
    return new Request(url, {
      method,
      headers,
      body: JSON.stringify(place === "body" ? withText(body, at, text) : body),
    });
  }
}

/** What a header can hold of a text. */
function headerText(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e]/g, "~");
}

/** Also the longest text that is not refused for its length. */
function sizesOf({ place, maxLength }: TextField): readonly number[] {
  if (place !== "body") return headSizes;
  const longest = maxLength !== undefined && maxLength > 1_000 && maxLength < bodySizes[3] ? [maxLength - 20] : [];
  return [...longest, ...bodySizes];
}

/** Seconds after which a gateway that is busy with other work is no longer asked again. */
const timeoutSeconds = 60;
const tooBusy = new Set([429, 503]);

/** Sends it, again while the gateway sheds load, which says nothing of the text. A stream is left at its beginning. */
async function send(request: Request): Promise<void> {
  const answered = () => sendOnce(request);
  await until("the gateway to take the request", timeoutSeconds, answered, (status) => !tooBusy.has(status));
}

async function sendOnce(request: Request): Promise<number> {
  const over = new AbortController();
  const response = await fetch(request.clone(), { signal: over.signal });
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) over.abort();
  else await response.arrayBuffer();
  return response.status;
}
