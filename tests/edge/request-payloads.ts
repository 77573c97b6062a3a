import type { Outcome } from "./conversation.ts";
import type { Lane } from "./edge-environment.ts";

/** What a payload is made of. */
export interface Frame {
  readonly lane: Lane;
  readonly bearer: string;
  readonly id: string;
}

/** Bytes that two readers might read in two ways, and what is to come of them. */
export interface Payload {
  readonly name: string;
  readonly bytes: (frame: Frame) => string | Buffer;
  readonly outcome: Outcome;
  readonly finishes?: boolean;
}

const refused: Outcome = [400, "closed"];
const once: Outcome = ["own", "open"];

/** The request that no service must see: it hides in what some readers take for another request's body. */
const hidden = ({ lane, id, bearer }: Frame) =>
  `GET ${lane.get} HTTP/1.1\r\nHost: g\r\nAuthorization: Bearer ${bearer}\r\nX-Request-Id: smuggled-${id}\r\n\r\n`;

const own = ({ bearer, id }: Frame) => [
  `Authorization: Bearer ${bearer}`,
  "Content-Type: application/json",
  `X-Request-Id: ${id}`,
];

interface Parts {
  readonly line?: string;
  readonly host?: string | null;
  readonly headers?: readonly string[];
  readonly body?: string;
}

/** A request as it stands on the wire; `POST` unless a line is given. */
function request(frame: Frame, { line, host = "Host: g", headers = [], body = "" }: Parts): string {
  const head = [
    line ?? `POST ${frame.lane.post} HTTP/1.1`,
    ...(host === null ? [] : [host]),
    ...own(frame),
    ...headers,
  ];
  return [...head, "", body].join("\r\n");
}

const chunked = (body: string) => `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
const both = (coding: string) => (frame: Frame) =>
  request(frame, { headers: ["Content-Length: 4", coding], body: `0\r\n\r\n${hidden(frame)}` });
const alone = (coding: string) => (frame: Frame) =>
  request(frame, { headers: [coding], body: chunked(frame.lane.body) });
const length = (value: string) => (frame: Frame) =>
  request(frame, { headers: [`Content-Length: ${value}`], body: frame.lane.body });
const plain = (headers: readonly string[] | ((frame: Frame) => string[])) => (frame: Frame) =>
  request(frame, {
    headers: ["Content-Length: 2", ...(typeof headers === "function" ? headers(frame) : headers)],
    body: frame.lane.body.length === 2 ? frame.lane.body : "{}",
  });
const line = (text: (target: string) => string) => (frame: Frame) => request(frame, { line: text(frame.lane.get) });
const host = (value: string | null) => (frame: Frame) =>
  request(frame, { line: `GET ${frame.lane.get} HTTP/1.1`, host: value });
const chunks = (body: string | ((frame: Frame) => string)) => (frame: Frame) =>
  request(frame, {
    headers: ["Transfer-Encoding: chunked"],
    body: typeof body === "string" ? body : body(frame),
  });

const lengthAndCoding: Payload[] = [
  ["a length and chunks", "Transfer-Encoding: chunked", refused],
  ["a length and chunks in capitals", "TRANSFER-ENCODING: CHUNKED", refused],
  ["a length and an unknown coding", "Transfer-Encoding: xchunked", refused],
  ["a length and a blank before the colon", "Transfer-Encoding : chunked", refused],
  ["a length and a tab before the colon", "Transfer-Encoding\t: chunked", refused],
  ["a length and a tab after the colon", "Transfer-Encoding:\tchunked", refused],
  ["a length and a vertical tab", "Transfer-Encoding: \x0bchunked", refused],
  ["a length and a coding in quotes", 'Transfer-Encoding: "chunked"', refused],
  ["a length and a coding with parameters", "Transfer-Encoding: chunked;q=1", refused],
  ["a length and identity", "Transfer-Encoding: identity", refused],
  ["a length and an empty coding", "Transfer-Encoding:", refused],
  ["a length and a coding after NUL", "Transfer-Encoding: \0chunked", refused],
  ["a length and a coding twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: x", refused],
  ["a length and a coding on a folded line", "Transfer-Encoding:\r\n chunked", refused],
  ["a length and a folded coding", "X: y\r\n Transfer-Encoding: chunked", refused],
  ["a length and a coding after a bare LF", "X: y\nTransfer-Encoding: chunked", refused],
  ["a length and a coding after a bare CR", "X: y\rTransfer-Encoding: chunked", refused],
  ["a length and a name with a strange byte", "Transfer\x80Encoding: chunked", refused],
].map(([name, coding, outcome]) => ({ name, bytes: both(String(coding)), outcome }) as Payload);

const codings: Payload[] = [
  { name: "chunks", bytes: alone("Transfer-Encoding: chunked"), outcome: once },
  { name: "chunks in mixed letters", bytes: alone("tRANSFER-eNCODING: cHuNkEd"), outcome: once },
  { name: "chunks without a blank", bytes: alone("Transfer-Encoding:chunked"), outcome: once },
  { name: "chunks in gzip", bytes: alone("Transfer-Encoding: gzip, chunked"), outcome: refused },
  { name: "gzip in chunks", bytes: alone("Transfer-Encoding: chunked, gzip"), outcome: refused },
  { name: "chunks twice", bytes: alone("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"), outcome: refused },
  { name: "chunks in chunks", bytes: alone("Transfer-Encoding: chunked, chunked"), outcome: refused },
  { name: "chunks after an empty item", bytes: alone("Transfer-Encoding: ,chunked"), outcome: refused },
  { name: "identity alone", bytes: alone("Transfer-Encoding: identity"), outcome: refused },
  {
    name: "chunks of HTTP/1.0",
    bytes: (frame) =>
      request(frame, {
        line: `POST ${frame.lane.post} HTTP/1.0`,
        headers: ["Connection: keep-alive", "Transfer-Encoding: chunked"],
        body: `0\r\n\r\n${hidden(frame)}`,
      }),
    outcome: refused,
  },
  {
    name: "a length, and a name that some read as the coding's",
    bytes: plain(["Transfer_Encoding: chunked"]),
    outcome: once,
  },
  {
    name: "chunks that Connection names",
    bytes: (frame) =>
      request(frame, {
        line: `GET ${frame.lane.get} HTTP/1.1`,
        headers: ["Connection: transfer-encoding", "Transfer-Encoding: chunked"],
        body: chunked(hidden(frame)),
      }),
    outcome: once,
  },
  {
    name: "a length that Connection names",
    bytes: (frame) =>
      request(frame, {
        line: `GET ${frame.lane.get} HTTP/1.1`,
        headers: ["Connection: content-length", `Content-Length: ${hidden(frame).length}`],
        body: hidden(frame),
      }),
    outcome: once,
  },
];

const lengths: Payload[] = [
  { name: "two lengths", bytes: plain(["Content-Length: 40"]), outcome: refused },
  { name: "one length twice", bytes: plain(["Content-Length: 2"]), outcome: refused },
  ...["2, 2", "-2", "+2", "0x2", "2e0", "2 2", "two", "99999999999999999999", "\x0b2", "2\0", ""].map((value) => ({
    name: `the length ${JSON.stringify(value)}`,
    bytes: length(value),
    outcome: refused,
  })),
  {
    name: "the length with zeros before it",
    bytes: (frame) => length(`000${frame.lane.body.length}`)(frame),
    outcome: once,
  },
  {
    name: "a GET with a body",
    bytes: (frame) =>
      request(frame, {
        line: `GET ${frame.lane.get} HTTP/1.1`,
        headers: [`Content-Length: ${hidden(frame).length}`],
        body: hidden(frame),
      }),
    outcome: once,
  },
  {
    name: "a body without a length",
    bytes: (frame) => request(frame, { body: '{"a":1}' }),
    outcome: ["own", 400, "closed"],
  },
  {
    name: "a length that is short",
    bytes: (frame) => request(frame, { headers: ["Content-Length: 2"], body: '{}, "more": 1}' }),
    outcome: ["own", 400, "closed"],
  },
  {
    name: "a length that is long",
    bytes: (frame) => request(frame, { headers: ["Content-Length: 50"], body: "{}" }),
    outcome: [408, "closed"],
  },
  {
    name: "a length that is long, and the end",
    bytes: (frame) => request(frame, { headers: ["Content-Length: 50"], body: "{}" }),
    outcome: refused,
    finishes: true,
  },
];

const chunkTricks: Payload[] = [
  ...["zz", "-1", "0x2", "+2", "2 x", "fffffffffffffffff", "2\r\r\n", "2\0", "", " 2"].map((size) => ({
    name: `a chunk of ${JSON.stringify(size)}`,
    bytes: chunks((frame) => `${size}\r\n{}\r\n0\r\n\r\n${hidden(frame)}`),
    outcome: refused,
  })),
  { name: "a chunk that is longer than it says", bytes: chunks("2\r\n{}{}\r\n0\r\n\r\n"), outcome: refused },
  { name: "a chunk whose line ends in LF", bytes: chunks("2\n{}\r\n0\r\n\r\n"), outcome: refused },
  { name: "a chunk that ends in LF", bytes: chunks("2\r\n{}\n0\r\n\r\n"), outcome: refused },
  { name: "no end of the chunks", bytes: chunks("2\r\n{}\r\n"), outcome: [408, "closed"] },
  { name: "no end of the trailers", bytes: chunks("2\r\n{}\r\n0\r\n"), outcome: [408, "closed"] },
  { name: "a chunk's extension", bytes: chunks("2;a=b\r\n{}\r\n0;c\r\n\r\n"), outcome: once },
  { name: "a large extension", bytes: chunks(`2;a=${"b".repeat(20_000)}\r\n{}\r\n0\r\n\r\n`), outcome: refused },
  {
    name: "an extension with an end of a line in it",
    bytes: chunks((frame) => `2;a=\n{}\r\n0\r\n\r\n${hidden(frame)}`),
    outcome: refused,
  },
  {
    name: "trailers that would be headers",
    bytes: chunks("2\r\n{}\r\n0\r\nAuthorization: Bearer x\r\nX-Request-Id: smuggled\r\n\r\n"),
    outcome: once,
  },
  { name: "a length in the trailers", bytes: chunks("2\r\n{}\r\n0\r\nContent-Length: 50\r\n\r\n"), outcome: refused },
  { name: "a malformed trailer", bytes: chunks("2\r\n{}\r\n0\r\nno colon\r\n\r\n"), outcome: refused },
];

const heads: Payload[] = [
  { name: "a folded header", bytes: plain(["X: y", " z"]), outcome: refused },
  { name: "a blank before a colon", bytes: plain(["X : y"]), outcome: refused },
  { name: "a header without a colon", bytes: plain(["X"]), outcome: refused },
  { name: "a header without a name", bytes: plain([": y"]), outcome: refused },
  { name: "NUL in a header", bytes: plain(["X: a\0b"]), outcome: refused },
  { name: "NUL in a name", bytes: plain(["X\0Y: a"]), outcome: refused },
  { name: "a bare CR in a header", bytes: plain(["X: a\rb"]), outcome: refused },
  { name: "a bare LF after a header", bytes: plain(["X: a\nY: b"]), outcome: refused },
  { name: "bare LFs alone", bytes: (frame) => request(frame, {}).replaceAll("\r\n", "\n"), outcome: refused },
  { name: "a header of 100 kB", bytes: plain([`X: ${"a".repeat(100_000)}`]), outcome: [431, "closed"] },
  {
    name: "1,000 headers",
    bytes: plain(Array.from({ length: 1_000 }, (_, i) => `H${i}: x`)),
    outcome: [431, "closed"],
  },
  { name: "no host", bytes: host(null), outcome: refused },
  { name: "two hosts", bytes: host("Host: g\r\nHost: other"), outcome: refused },
  { name: "one host twice", bytes: host("Host: g\r\nHost: g"), outcome: refused },
  { name: "two names for a host", bytes: host("Host: g, other"), outcome: refused },
  { name: "a host with a blank", bytes: host("Host: g other"), outcome: refused },
  { name: "a host with a path", bytes: host("Host: g/other"), outcome: refused },
  { name: "a host with a user", bytes: host("Host: me@g"), outcome: refused },
  { name: "a host in brackets", bytes: host("Host: [::1]:8080"), outcome: once },
  { name: "two credentials", bytes: plain(["Authorization: Bearer other"]), outcome: ["own", "either"] },
  { name: "two types", bytes: plain(["Content-Type: text/plain"]), outcome: once },
  { name: "an expectation", bytes: plain(["Expect: 100-continue"]), outcome: once },
  { name: "another expectation", bytes: plain(["Expect: something"]), outcome: [417, "closed"] },
  {
    name: "an upgrade to HTTP/2",
    bytes: plain(["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA"]),
    outcome: once,
  },
  { name: "an upgrade to a websocket", bytes: plain(["Connection: Upgrade", "Upgrade: websocket"]), outcome: once },
];

const lines: Payload[] = [
  { name: "the whole URL", bytes: line((target) => `GET http://g${target} HTTP/1.1`), outcome: once },
  {
    name: "the whole URL of another host",
    bytes: line((target) => `GET https://x:1${target} HTTP/1.1`),
    outcome: once,
  },
  { name: "a URL of another kind", bytes: line((target) => `GET ftp://g${target} HTTP/1.1`), outcome: refused },
  { name: "a URL with a user", bytes: line((target) => `GET http://me@g${target} HTTP/1.1`), outcome: refused },
  { name: "a URL without a host", bytes: line((target) => `GET http://${target} HTTP/1.1`), outcome: refused },
  { name: "no path", bytes: line((target) => `GET ${target.slice(1)} HTTP/1.1`), outcome: refused },
  { name: "HTTP/0.9", bytes: ({ lane }) => `GET ${lane.get}\r\n\r\n`, outcome: refused },
  { name: "HTTP/1.2", bytes: line((target) => `GET ${target} HTTP/1.2`), outcome: refused },
  { name: "HTTP/3.0", bytes: line((target) => `GET ${target} HTTP/3.0`), outcome: refused },
  {
    name: "a request in the preface of HTTP/2",
    bytes: () => "PRI * HTTP/2.0\r\n\r\nGET / HTTP/1.1\r\nHost: g\r\n\r\n",
    outcome: refused,
  },
  { name: "a hello of TLS", bytes: () => Buffer.from("160301020001000001fc0303", "hex"), outcome: refused },
  { name: "a method in small letters", bytes: line((target) => `get ${target} HTTP/1.1`), outcome: refused },
  { name: "an unknown method", bytes: line((target) => `SMUGGLE ${target} HTTP/1.1`), outcome: refused },
  { name: "a tunnel", bytes: () => "CONNECT other:443 HTTP/1.1\r\nHost: other\r\n\r\n", outcome: [405, "closed"] },
  { name: "a trace", bytes: line((target) => `TRACE ${target} HTTP/1.1`), outcome: once },
  { name: "two blanks before the path", bytes: line((target) => `GET  ${target} HTTP/1.1`), outcome: once },
  { name: "a tab before the path", bytes: line((target) => `GET\t${target} HTTP/1.1`), outcome: refused },
  { name: "a blank in the path", bytes: line((target) => `GET ${target} x HTTP/1.1`), outcome: refused },
  { name: "a blank line before the request", bytes: (frame) => `\r\n${plain([])(frame)}`, outcome: once },
  { name: "a blank before the request", bytes: (frame) => ` ${plain([])(frame)}`, outcome: refused },
  {
    name: "two requests at once",
    bytes: (frame) => plain([])(frame) + plain([])(frame),
    outcome: ["own", "own", "open"],
  },
  {
    name: "a request and nonsense",
    bytes: (frame) => `${plain([])(frame)}nonsense\r\n\r\n`,
    outcome: ["own", 400, "closed"],
  },
  { name: "a request that says it is the last", bytes: plain(["Connection: close"]), outcome: ["own", "closed"] },
];

/** All of them. */
export const payloads: readonly Payload[] = [
  ...lengthAndCoding,
  ...codings,
  ...lengths,
  ...chunkTricks,
  ...heads,
  ...lines,
];
