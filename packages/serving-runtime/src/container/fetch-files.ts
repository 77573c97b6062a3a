import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { get as getPlain, type IncomingMessage } from "node:http";
import { get as getOverTls } from "node:https";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { backoffMs } from "@aiplatform/backoff";
import { untrustedServer } from "@aiplatform/service-host/untrusted-server";
import type { FileList, WantedFile } from "./file-list.ts";

export interface FetchOptions {
  readonly list: FileList;
  readonly directory: string;
  readonly token: string;
  /** Authorities, as PEM, one of which must certify the server of an https address. Default: those that Node knows. */
  readonly ca?: string | undefined;
  /** How often one file is asked for. Default: 6. */
  readonly attempts?: number;
  /** Longest pause before the second attempt; doubled before each further one. Default: 500 ms. */
  readonly pauseMs?: number;
  /** Longest that nothing may come. Default: 30 s. */
  readonly idleMs?: number;
}

const maxPauseMs = 30_000;

/** A file that is not available, or not what its digest says. */
export class FileUnavailableError extends Error {
  override name = "FileUnavailableError";
  /** Whether asking again may help. */
  readonly isPassing: boolean;
  constructor(path: string, why: string, isPassing: boolean) {
    super(`${path} ${why}`);
    this.isPassing = isPassing;
  }
}

/** Brings every file of the list into the directory, each verified by its digest. @throws FileUnavailableError */
export async function fetchFiles(o: FetchOptions): Promise<void> {
  for (const file of o.list.files) await fetchFile(file, o);
}

async function fetchFile(file: WantedFile, o: FetchOptions): Promise<void> {
  const { attempts = 6, pauseMs = 500 } = o;
  const target = join(o.directory, file.path);
  // A container that is started again finds what the one before it brought.
  if (await isThere(target, file.sha256)) return;
  await mkdir(dirname(target), { recursive: true });
  for (let attempt = 1; ; attempt++) {
    try {
      await download(file, target, o);
      return;
    } catch (error) {
      const isPassing = !(error instanceof FileUnavailableError) || error.isPassing;
      if (!isPassing) throw error;
      if (attempt === attempts) throw asUnavailable(file, error);
      await pause(backoffMs({ minMs: pauseMs, maxMs: maxPauseMs }, attempt));
    }
  }
}

async function download(file: WantedFile, target: string, o: FetchOptions): Promise<void> {
  const { idleMs = 30_000 } = o;
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(new Error(`nothing came for ${idleMs} ms`)), idleMs);
  const part = `${target}.part`;
  try {
    const answer = await ask(new URL(file.sha256, o.list.url), o, idle.signal);
    const { statusCode: status = 0 } = answer;
    if (status !== 200) {
      answer.destroy();
      const isPassing = status >= 500 || status === 429;
      throw new FileUnavailableError(file.path, `was answered with status ${status}`, isPassing);
    }
    await store(file, part, alive(answer, timer));
    await rename(part, target);
  } catch (error) {
    throw idle.signal.aborted ? idle.signal.reason : error;
  } finally {
    clearTimeout(timer);
    await rm(part, { force: true });
  }
}

/** A server that no authority of ours certifies is sent nothing. */
function ask(url: URL, { token, ca }: FetchOptions, signal: AbortSignal): Promise<IncomingMessage> {
  const options = { headers: { authorization: `Bearer ${token}` }, signal };
  const asked = url.protocol === "https:" ? getOverTls(url, { ...options, ca }) : getPlain(url, options);
  // An error after the answer has begun is the answer's as well.
  return new Promise((resolve, reject) => asked.once("response", resolve).on("error", reject));
}

async function* alive(body: AsyncIterable<Uint8Array>, timer: NodeJS.Timeout): AsyncIterable<Uint8Array> {
  for await (const chunk of body) {
    timer.refresh();
    yield chunk;
  }
}

async function store({ path, sha256, sizeBytes }: WantedFile, part: string, bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let size = 0;
  // What an interrupted attempt left cannot be written again, being for reading only.
  await rm(part, { force: true });
  await using written = await open(part, "w", 0o444);
  for await (const chunk of bytes) {
    size += chunk.byteLength;
    if (size > sizeBytes) throw new FileUnavailableError(path, "is larger than it should be", false);
    hash.update(chunk);
    await written.writeFile(chunk);
  }
  if (size < sizeBytes) throw new FileUnavailableError(path, `ended after ${size} of ${sizeBytes} bytes`, true);
  if (hash.digest("hex") !== sha256) throw new FileUnavailableError(path, "is not what its digest says", false);
}

async function isThere(target: string, sha256: string): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    for await (const chunk of createReadStream(target)) hash.update(chunk);
  } catch {
    return false;
  }
  return hash.digest("hex") === sha256;
}

function asUnavailable({ path }: WantedFile, error: unknown): FileUnavailableError {
  if (error instanceof FileUnavailableError) return error;
  const untrusted = untrustedServer(error);
  const why = untrusted
    ? `the server is refused, because ${untrusted}`
    : error instanceof Error
      ? error.message
      : error;
  return new FileUnavailableError(path, `could not be fetched: ${why}`, true);
}
