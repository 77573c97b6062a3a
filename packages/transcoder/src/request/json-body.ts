import { HttpError, unprocessable } from "../errors/http-error.ts";
import type { BodyLimits, Exchange } from "../exchange/exchange.ts";
import { decodeJson } from "../json/encoding.ts";
import { JsonLimitError, JsonSyntaxError, scanJson } from "../json/scanner.ts";
import { JsonView } from "../json/view.ts";
import { isJson, plainText, readBody, unreadable } from "./body.ts";

/** How the body of an operation is read. */
export interface JsonBodyOptions extends BodyLimits {
  /** Most arrays and objects around a value. */
  readonly depth: number;
  /** Whether the operation says what is wrong with a body of another type, instead of taking it as a text. */
  readonly strict: boolean;
  /** Told what an error about the body cannot say in its own words. */
  readonly onHint: (hint: string) => void;
}

/** Says what is wrong with a body where the error's own words are fixed. */
export const hintHeader = "x-error-hint";
const notUtf8 = "The body is not UTF-8: send JSON in UTF-8";

/**
 * The body as scanned JSON. A body of another type is taken as a text, which no operation accepts as an object; strict ones say
 * what is wrong with it.
 */
export async function readJson(exchange: Exchange, options: JsonBodyOptions): Promise<JsonView | undefined> {
  const { strict, depth, onHint } = options;
  const bytes = await readBody(exchange, options);
  if (bytes === undefined) return undefined;
  const contentType = exchange.header("content-type");
  if (!isJson(contentType)) {
    const fault = contentType === undefined ? "is missing" : "is not JSON";
    const hint = `Content-Type ${fault}: send the body as application/json`;
    if (strict) throw new HttpError(415, hint, "unsupported_media_type");
    onHint(hint);
    return JsonView.of(JSON.stringify(plainText(bytes)));
  }
  const text = decodeJson(bytes);
  if (text === undefined) {
    throw strict ? new HttpError(400, notUtf8, "body_unreadable") : unreadable({ [hintHeader]: notUtf8 });
  }
  return scanned(text, depth);
}

function scanned(text: string, depth: number): JsonView {
  try {
    return JsonView.of(text, scanJson(text, depth));
  } catch (error) {
    if (error instanceof JsonLimitError) throw unreadable();
    if (!(error instanceof JsonSyntaxError)) throw error;
    const { position, fault } = error;
    const ctx = JSON.stringify({ error: fault });
    const entry = { type: "json_invalid", loc: ["body", position], msg: "JSON decode error", input: "{}", ctx };
    throw unprocessable([entry]);
  }
}
