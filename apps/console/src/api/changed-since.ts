import { answerOf } from "@aiplatform/client";

/** Someone else has changed what a form is about since it was opened. */
export class ChangedMeanwhileError<T> extends Error {
  override name = "ChangedMeanwhileError";
  /** As it is now. */
  readonly current: T;

  constructor(current: T) {
    super("Someone else has changed it since you opened the form. Your text is still here.");
    this.current = current;
  }
}

/** An answer of the API, as its client gives it. */
interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

interface ReplaceOptions<T> {
  /** As it was when the form was opened. */
  base: T;
  read: () => Promise<Answer<T>>;
  /** Writes under a tag, which is empty where the API has none for it. */
  write: (ifMatch: string) => Promise<Answer<T>>;
}

/**
 * Replaces something, as long as it is still what the form was opened with. A change between its reading and the writing is refused by the
 * API where that has a tag for it; otherwise it stays unseen.
 * @throws ChangedMeanwhileError when it differs; PlatformError
 */
export async function replaceUnchanged<T>({ base, read, write }: ReplaceOptions<T>): Promise<T> {
  const before = await read();
  const current = answerOf(before);
  if (JSON.stringify(current) !== JSON.stringify(base)) throw new ChangedMeanwhileError(current);
  const written = await write(before.response.headers.get("etag") ?? "");
  if (written.response.status === 412) throw new ChangedMeanwhileError(answerOf(await read()));
  return answerOf(written);
}
