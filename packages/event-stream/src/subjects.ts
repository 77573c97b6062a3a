import { EventDeclarationError } from "./errors.ts";

/** The root of every subject in the contract; a stream of another name uses its own name instead. */
const root = "aiplatform";
const wakeSuffix = "_wake";

/** The names one stream uses. Streams of different names share a server without seeing each other. */
export interface SubjectNames {
  stream: string;
  deadStream: string;
  /** Everything the stream keeps. */
  kept: string;
  /** Everything the dead-letter stream keeps. */
  dead: string;
  /** The subject used on the wire for a subject of the contract. */
  toWire(subject: string): string;
  fromWire(subject: string): string;
  /** Where a consumer's dead letters lie. */
  deadSubject(consumer: string, eventId: string): string;
}

export function subjectNames(stream: string): SubjectNames {
  if (!/^[A-Za-z0-9_-]+$/.test(stream)) throw new EventDeclarationError(`a stream cannot be called "${stream}"`);
  const rename = (subject: string, from: string, to: string): string => {
    for (const suffix of ["", wakeSuffix]) {
      if (subject.startsWith(`${from}${suffix}.`)) return to + subject.slice(from.length);
    }
    return subject;
  };
  return {
    stream,
    deadStream: `${stream}_dead`,
    kept: `${stream}.>`,
    dead: `${stream}_dead.>`,
    toWire: (subject) => rename(subject, root, stream),
    fromWire: (subject) => rename(subject, stream, root),
    deadSubject: (consumer, eventId) => `${stream}_dead.${subjectToken(consumer)}.${subjectToken(eventId)}`,
  };
}

/** A subject for `announce` and `listen`: delivered to current listeners, never kept. */
export function wakeSubject(...tokens: string[]): string {
  const token = (text: string) => (text === "*" || text === ">" ? text : subjectToken(text));
  return [`${root}${wakeSuffix}`, ...tokens.map(token)].join(".");
}

/** Any text as one token of a subject: percent-encoded where NATS gives a character a meaning. */
export function subjectToken(text: string): string {
  if (text === "") throw new EventDeclarationError("a subject's token cannot be empty");
  return encodeURIComponent(text.toWellFormed()).replace(
    /[.*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Whether the stream would keep what is published here. */
export function isKept(subject: string): boolean {
  return subject.startsWith(`${root}.`);
}
