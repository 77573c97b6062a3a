import type { DescMessage } from "@bufbuild/protobuf";
import { JsonView } from "../json/view.ts";
import { HttpError } from "./http-error.ts";
import { maxListBytes, type Problem } from "./problem-list.ts";

/** Names, anywhere in a message, of fields that the contract calls secret (`debug_redact`). */
export function secretNames(message: DescMessage, within: ReadonlySet<DescMessage> = new Set()): ReadonlySet<string> {
  if (within.has(message)) return new Set();
  const seen = new Set(within).add(message);
  const names = message.fields.flatMap((field) => [
    ...(field.proto.options?.debugRedact === true ? [field.name] : []),
    ...(field.message ? secretNames(field.message, seen) : []),
  ]);
  return new Set(names);
}

/** The same failure without the secrets that the request had: an error is read by more eyes than the request. */
export function withoutSecrets(
  failure: HttpError,
  secrets: ReadonlySet<string>,
  /** Most bytes of the list: what has no room there need not be looked through. */
  maxBytes = maxListBytes,
): HttpError {
  const { status, detail, code, headers, problems } = failure;
  if (secrets.size === 0 || problems === undefined) return failure;
  let left = maxBytes;
  const shown = problems.map((problem) => {
    left -= problem.input?.length ?? 0;
    if (left >= 0) return redactInput(problem, secrets);
    left += problem.input?.length ?? 0;
    return { ...problem, input: undefined };
  });
  return new HttpError(status, detail, code, headers, shown);
}

function redactInput(problem: Problem, secrets: ReadonlySet<string>): Problem {
  const { input, loc } = problem;
  if (input === undefined) return problem;
  const isSecret = loc.some((step) => typeof step === "string" && secrets.has(step));
  const view = JsonView.of(input);
  return { ...problem, input: isSecret ? redacted(view) : redactWithin(view, secrets) };
}

/** What is no text gives nothing away, and shows the mistake. */
function redacted({ kind, raw }: JsonView): string {
  return kind === "null" || kind === "boolean" ? raw : '"[redacted]"';
}

function redactWithin(value: JsonView, secrets: ReadonlySet<string>): string {
  if (value.kind === "array") {
    const items = value.items().map((item) => redactWithin(item, secrets));
    return `[${items.join(",")}]`;
  }
  if (value.kind !== "object") return value.raw;
  const members = [...value.members()].map(([name, member]) => {
    const shown = secrets.has(name) ? redacted(member) : redactWithin(member, secrets);
    return `${JSON.stringify(name)}:${shown}`;
  });
  return `{${members.join(",")}}`;
}
