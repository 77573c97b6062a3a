import { BSON, type Document } from "mongodb";

/** A message of MongoDB's wire protocol, as far as the proxy looks at it. */
export interface MongodbMessage {
  readonly requestId: number;
  readonly responseTo: number;
  /** Of a command: its document, with the documents that were sent beside it. Absent for anything else. */
  readonly command?: Document;
}

const headerBytes = 16;
const opMsg = 2013;

/** The whole messages at the beginning of `bytes`, and the rest. */
export function splitMessages(bytes: Buffer): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = [];
  let rest = bytes;
  while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
    const length = rest.readInt32LE(0);
    messages.push(rest.subarray(0, length));
    rest = rest.subarray(length);
  }
  return { messages, rest };
}

export function readHeader(message: Buffer): MongodbMessage {
  return { requestId: message.readInt32LE(4), responseTo: message.readInt32LE(8) };
}

/** Reads a message that a driver sent. */
export function readRequest(message: Buffer): MongodbMessage {
  const header = readHeader(message);
  if (message.readInt32LE(12) !== opMsg) return header;
  let command: Document = {};
  let offset = headerBytes + 4;
  const sequences: Document = {};
  while (offset < message.length) {
    const kind = message[offset];
    const length = message.readInt32LE(offset + 1);
    const section = message.subarray(offset + 1, offset + 1 + length);
    if (kind === 0) command = BSON.deserialize(section);
    else Object.assign(sequences, readSequence(section));
    offset += 1 + length;
  }
  return { ...header, command: { ...command, ...sequences } };
}

function readSequence(section: Buffer): Document {
  const end = section.indexOf(0, 4);
  const documents: Document[] = [];
  for (let offset = end + 1; offset < section.length; offset += section.readInt32LE(offset))
    documents.push(BSON.deserialize(section.subarray(offset, offset + section.readInt32LE(offset))));
  return { [section.toString("utf8", 4, end)]: documents };
}

/** Commands that drivers and health checks send by themselves, or that belong to a start. */
const notPoints: ReadonlySet<string> = new Set([
  ...["hello", "ismaster", "isMaster", "ping", "endSessions", "killCursors", "saslStart", "saslContinue"],
  ...["createIndexes", "listIndexes", "listCollections", "collMod", "create", "dbStats", "collStats", "serverStatus"],
]);

/**
 * Names store calls. Calls at one place of the code have one name, at two places as a rule two: a name is made of the
 * command, the collection and the names of the fields that it looks for and sets. A commit is named after what the transaction wrote.
 */
export class CommandNames {
  readonly #transactions = new Map<string, Set<string>>();

  /** Undefined for what is no store call. */
  of(command: Document): string | undefined {
    const [verb = ""] = Object.keys(command);
    if (notPoints.has(verb)) return undefined;
    const transaction = transactionOf(command);
    if (verb === "commitTransaction" || verb === "abortTransaction") {
      const written = [...(this.#transactions.get(transaction ?? "") ?? [])].toSorted();
      return `${verb} of ${written.join(" + ") || "nothing"}`;
    }
    const name = nameOf(verb, command);
    if (transaction !== undefined && !reads.has(verb))
      this.#written(transaction).add(name.split(/[( ]set /)[0] ?? name);
    return name;
  }

  #written(transaction: string): Set<string> {
    const written = this.#transactions.get(transaction) ?? new Set();
    this.#transactions.set(transaction, written);
    return written;
  }
}

const reads: ReadonlySet<string> = new Set(["find", "aggregate", "count", "distinct", "getMore"]);

function transactionOf({ lsid, txnNumber, autocommit }: Document): string | undefined {
  return autocommit === false ? `${lsid?.id?.toString("hex")} ${txnNumber}` : undefined;
}

function nameOf(verb: string, command: Document): string {
  const [first] = [command["documents"], command["updates"], command["deletes"]].flat().filter(Boolean);
  const collection = verb === "getMore" ? command["collection"] : command[verb];
  const target = `${verb} ${collection}`;
  if (verb === "insert") return `${target}${kindOf(first)}`;
  if (verb === "aggregate") return `${target}(${stagesOf(command["pipeline"])})`;
  const filter: Document = first?.q ?? command["filter"] ?? command["query"] ?? {};
  const change = first?.u ?? command["update"];
  return `${target}(${fieldsOf(filter)})${change ? ` set ${changedFields(change)}` : ""}`;
}

/** Documents of one collection that tell of different things say so in one of these fields. */
function kindOf(document: Document): string {
  const kind = document?.["type"] ?? document?.["operation"] ?? document?.["kind"];
  return typeof kind === "string" && /^[A-Za-z][\w./]*$/.test(kind) ? ` of ${kind}` : "";
}

function stagesOf(pipeline: Document[]): string {
  return pipeline
    .map((stage) => ("$match" in stage ? `$match ${fieldsOf(stage["$match"])}` : Object.keys(stage)[0]))
    .join(", ");
}

function fieldsOf(filter: Document): string {
  const names = Object.entries(filter).map(([name, value]) => {
    const inner = name.startsWith("$") && Array.isArray(value) ? `[${fieldsOf(Object.assign({}, ...value))}]` : "";
    const plain = ["operation", "status"].includes(name) && typeof value === "string" ? `=${value}` : "";
    return withoutIds(name) + inner + plain;
  });
  return [...new Set(names)].toSorted().join(", ");
}

function changedFields(change: Document | Document[]): string {
  if (Array.isArray(change)) return [...new Set(change.flatMap((stage) => changedFields(stage)))].join(", ");
  const isReplacement = !Object.keys(change)[0]?.startsWith("$");
  if (isReplacement) return "everything";
  const names = Object.entries(change).flatMap(([operator, fields]) =>
    Object.keys(Object(fields)).map((name) => {
      const value = fields[name];
      const state = /status$|^state$/.test(name) && typeof value === "string" ? `=${value}` : "";
      return `${operator === "$unset" ? "-" : ""}${withoutIds(name)}${state}`;
    }),
  );
  return [...new Set(names)].toSorted().join(", ");
}

/** Parts of a path that are ids or positions say nothing about the place in the code. */
function withoutIds(path: string): string {
  return path.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?<=\.)\d+/g, "*");
}
