import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** Packages that no service runs: what they raise, no caller of the API gets. */
const tools = new Set(["cli", "client", "cluster-installer", "contract", "doctor", "local-platform", "testkit"]);

/** Where a code comes from: the folder of its service or package. */
interface Raised {
  readonly owner: string;
}

/** A reason of an RPC's failure. */
export interface RaisedReason extends Raised {
  readonly reason: string;
  readonly grpc: string;
}

/** A code of an answer that is no RPC's. */
export interface RaisedCode extends Raised {
  readonly code: string;
  readonly status: number;
}

/** A type of an entry of a 422. */
export interface RaisedType extends Raised {
  readonly type: string;
}

interface Source extends Raised {
  readonly text: string;
}

const name = '"([A-Z]+(?:_[A-Z]+)*)"';
const text = '(?:"[^"]*"|`[^`]*`|[\\w.]+)';

/** An entry of an error table, with its gRPC code. */
const tableEntry = new RegExp(`code: Code\\.(\\w+),\\s*reason: ${name}`, "g");
/** An entry of an error table whose reason the error itself knows. */
const classEntry = /\[\s*(\w+Error),\s*\{\s*code: Code\.(\w+),\s*reason: \(/g;
/** A row of a table of refusals by reason. */
const refusalRow = /^\s+([A-Z]+(?:_[A-Z]+)*): \{\s*code: Code\.(\w+)/gm;
/** A refusal with its own gRPC code. */
const refusalCall = new RegExp(`\\brefusal\\(${name}, Code\\.(\\w+)`, "g");
const httpError = new RegExp(`new HttpError\\(\\s*(\\d{3}),\\s*${text},\\s*"([a-z]+(?:_[a-z]+)*)"`, "g");
const fieldProblems = [
  new RegExp(`\\bfield[^{}]*?,\\s*reason: ${name}`, "g"),
  new RegExp(`\\breason: ${name},\\s*description`, "g"),
  new RegExp(`\\b(?:problem|violation|refuse)\\((?:[^"\`(]|\`[^\`]*\`|\\([^()]*\\))*?,\\s*${name}`, "g"),
  new RegExp(`\\brefused\\([^"]*?\\[${name}`, "g"),
];
const valueFault = /\b(?:new Fault|choiceFault)\(\s*"([a-z]+(?:_[a-z]+)*)"/g;
const setting = /^\s+([A-Z][A-Z0-9_]+): setting\b/gm;
const capitals = /"([A-Z]+(?:_[A-Z]+)+)"/g;

const found = (pattern: RegExp, source: string): string[][] =>
  [...source.matchAll(pattern)].map((match) => match.slice(1));

function sourcesOf(kind: "services" | "packages"): Source[] {
  const owners = readdirSync(join(root, kind)).filter((owner) => !tools.has(owner));
  return owners.flatMap((owner) => {
    const folder = join(root, kind, owner, "src");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
    const own = files.filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|\.d\.ts$|(^|\/)gen\//.test(path));
    return own.map((path) => ({ owner, text: readFileSync(join(folder, path), "utf8") }));
  });
}

function reasonsIn(sources: readonly Source[]): RaisedReason[] {
  const classes = sources.flatMap(({ text }) => found(classEntry, text));
  return sources.flatMap(({ owner, text }) => [
    ...found(tableEntry, text).map(([grpc = "", reason = ""]) => ({ reason, grpc, owner })),
    ...[...found(refusalRow, text), ...found(refusalCall, text)].map(([reason = "", grpc = ""]) => ({
      reason,
      grpc,
      owner,
    })),
    ...classes.flatMap(([error, grpc = ""]) =>
      found(new RegExp(`\\b${error}\\(${name}`, "g"), text).map(([reason = ""]) => ({ reason, grpc, owner })),
    ),
  ]);
}

function typesIn({ owner, text }: Source): RaisedType[] {
  const problems = fieldProblems.flatMap((pattern) => found(pattern, text));
  return [
    ...problems.map(([reason = ""]) => ({ type: reason.toLowerCase(), owner })),
    ...found(valueFault, text).map(([type = ""]) => ({ type, owner })),
  ];
}

/** What callers of the API can get, as the sources say it, and every other word in capitals that could be a reason. */
export function raisedCodes(): {
  reasons: RaisedReason[];
  codes: RaisedCode[];
  types: RaisedType[];
  others: string[];
} {
  const sources = [...sourcesOf("services"), ...sourcesOf("packages")];
  const reasons = reasonsIn(sources);
  const types = sources.flatMap(typesIn);
  const codes = sources.flatMap(({ owner, text }) =>
    found(httpError, text).map(([status, code = ""]) => ({ status: Number(status), code, owner })),
  );
  const known = new Set([
    ...reasons.map(({ reason }) => reason),
    ...types.map(({ type }) => type.toUpperCase()),
    ...sources.flatMap(({ text }) => found(setting, text).flat()),
  ]);
  const words = new Set(sources.flatMap(({ text }) => found(capitals, text).flat()));
  return { reasons, codes, types, others: [...words].filter((word) => !known.has(word)) };
}
