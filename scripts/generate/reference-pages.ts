// The catalogue of events (AsyncAPI 3) and the pages of the gRPC reference, both from the contract and its comments.
import { join } from "node:path";
import {
  contractEvents,
  contractServices,
  type EnumFacts,
  type EventFacts,
  type MessageFacts,
  type MethodFacts,
  type ServiceFacts,
} from "./contract-facts.ts";
import { table } from "./markdown.ts";

/** Path and text of each page. */
export function* referencePages(): Generator<[path: string, text: string]> {
  yield [join("docs", "asyncapi.json"), `${JSON.stringify(eventCatalogue(contractEvents()), undefined, 2)}\n`];
  yield* grpcPages();
}

function eventCatalogue(events: readonly EventFacts[]): object {
  const channels = events.map((each) => [nameOf(each), channelOf(each)]);
  const operations = events.map((each) => [`announce_${nameOf(each)}`, operationOf(each)]);
  const messages = events.map((each) => [nameOf(each), messageOf(each)]);
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Events of an AI Platform for Business Users",
      version: "0.13.95",
      description:
        "What the services announce on NATS JetStream: binary CloudEvents 1.0, one protobuf message each, at least once. " +
        "Subjects begin with the name of the stream (`aiplatform`); the `ce-id` is the same whenever an event is delivered again.",
    },
    defaultContentType: "application/protobuf",
    channels: Object.fromEntries(channels),
    operations: Object.fromEntries(operations),
    components: { messages: Object.fromEntries(messages), messageTraits: { cloudEvent } },
  };
}

const nameOf = ({ domain, entity, happened }: EventFacts) => `${domain}_${entity}_${happened}`;

function channelOf(event: EventFacts): object {
  const { domain, entity, happened } = event;
  const meanings = { organisation: "The organisation concerned.", id: `The ${entity.replaceAll("_", " ")} concerned.` };
  return {
    address: `aiplatform.${domain}.${entity}.${happened}.v1.{organisation}.{id}`,
    parameters: Object.fromEntries(Object.entries(meanings).map(([name, description]) => [name, { description }])),
    messages: { event: { $ref: `#/components/messages/${nameOf(event)}` } },
  };
}

function operationOf(event: EventFacts): object {
  return { action: "send", channel: { $ref: `#/channels/${nameOf(event)}` }, tags: [{ name: event.domain }] };
}

function messageOf(event: EventFacts): object {
  const lines = event.fields.flatMap(({ name, number, type, optional, description }) => [
    ...description.split("\n").map((line) => `  // ${line}`),
    `  ${optional ? "optional " : ""}${type} ${name} = ${number};`,
  ]);
  const short = shortName(event.name);
  const imports = event.imports.map((file) => `import "${file}";\n`).join("");
  const record = event.audited
    ? "The audit log keeps a record of every such event."
    : "The audit log keeps no record of it.";
  return {
    name: event.name,
    summary: event.description,
    description: `${record} Who publishes an automation that reads it needs \`${event.readPermission}\`.`,
    contentType: "application/protobuf",
    traits: [{ $ref: "#/components/messageTraits/cloudEvent" }],
    payload: {
      schemaFormat: "application/vnd.google.protobuf;version=3",
      schema: `syntax = "proto3";\n\n${imports && `${imports}\n`}message ${short} {\n${lines.join("\n")}\n}\n`,
    },
  };
}

const cloudEvent = {
  headers: {
    type: "object",
    required: [
      "ce-specversion",
      "ce-id",
      "ce-type",
      "ce-source",
      "ce-subject",
      "ce-organisation",
      "ce-time",
      "ce-dataschema",
    ],
    properties: {
      "ce-specversion": { const: "1.0" },
      "ce-id": { type: "string", description: "The event's id; the same whenever it is delivered again." },
      "ce-type": { type: "string", description: "The subject without organisation and id." },
      "ce-source": { type: "string", description: "The service that announced it." },
      "ce-subject": { type: "string", description: "What it is about, percent-encoded." },
      "ce-organisation": { type: "string", description: "The organisation concerned, percent-encoded." },
      "ce-time": { type: "string", format: "date-time" },
      "ce-dataschema": { type: "string", description: "Full name of the message." },
      "ce-memberid": { type: "string", description: "The member who caused it, where one did." },
      "ce-credentialid": { type: "string", description: "The credential it was caused with, where that is known." },
      "ce-requestid": { type: "string", description: "The request that caused it, where one did." },
      "ce-requestidsource": { type: "string", description: "Who chose the request id: `platform` or `caller`." },
      traceparent: { type: "string", description: "The trace it belongs to." },
    },
  },
};

/** A page per service of the mesh. */
function grpcPages(): [path: string, text: string][] {
  const { services, messages, enums } = contractServices();
  const ownerOf = (name: string) => name.split(".")[1] ?? "";
  // The gateway's own service is no gRPC service: it answers over REST alone.
  const owners = [...new Set(services.map(({ name }) => ownerOf(name)))].filter((owner) => owner !== "gateway").sort();
  return owners.map((owner) => {
    const own = services.filter(({ name }) => ownerOf(name) === owner);
    const names = reachable(own, messages);
    const text = [
      `# gRPC: ${owner}\n`,
      "Generated from the contract. Every call carries a credential as `authorization: Bearer …`, unless it is public.\n",
      'What an RPC "fails with" is one of the [codes](../errors.md): in capitals, it is the `reason` of the error\'s `ErrorInfo` or field violation.\n',
      ...own.map(servicePage),
      "## Messages\n",
      ...messages.filter(({ name }) => names.has(name)).map(messagePage),
      ...enums.filter(({ name }) => names.has(name)).map(enumPage),
    ];
    return [join("docs", "grpc", `${owner}.md`), `${text.join("\n").trimEnd()}\n`];
  });
}

/** Names of the messages and enums that RPCs of these services lead to. */
function reachable(services: readonly ServiceFacts[], messages: readonly MessageFacts[]): Set<string> {
  const byName = new Map(messages.map((each) => [each.name, each]));
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const { type } of byName.get(name)?.fields ?? [])
      for (const part of type.match(/[A-Za-z_][\w.]*/g) ?? []) visit(part);
  };
  for (const { methods } of services) for (const { request, response } of methods) [request, response].forEach(visit);
  return found;
}

const oneLine = (text: string) => text.replaceAll("\n", " ").replaceAll("|", "\\|");
const kinds: Readonly<Record<MethodFacts["kind"], string>> = {
  unary: "",
  server_streaming: "streams answers",
  client_streaming: "takes a stream",
  bidi_streaming: "streams both ways",
};

function servicePage({ name, description, methods }: ServiceFacts): string {
  const rows = methods.map(
    ({ name: method, description: text, kind, permission, internal, route, request, response }) => {
      const facts = [kinds[kind], internal && "only services call it", route && `\`${route}\``]
        .filter(Boolean)
        .join(", ");
      const messages = `${shortName(request)} → ${shortName(response)}`;
      return [`**${method}**`, `${oneLine(text)}${facts ? ` (${facts})` : ""}`, `\`${permission}\``, messages];
    },
  );
  return `## ${name}\n\n${description}\n\n${table(["RPC", "", "permission", "messages"], rows)}\n`;
}

const shortName = (name: string) => name.split(".").at(-1);

function messagePage({ name, description, fields }: MessageFacts): string {
  const rows = fields.map(({ name: field, number, type, optional, description: text }) => {
    const shown = `${optional ? "optional " : ""}${type.replaceAll(/aiplatform\.\w+\.v1\./g, "")}`;
    return [`${number}`, `\`${field}\``, shown, oneLine(text)];
  });
  return `### ${shortName(name)}\n\n${description}\n${rows.length > 0 ? `\n${table(["", "field", "type", ""], rows)}\n` : ""}`;
}

function enumPage({ name, description, values }: EnumFacts): string {
  const rows = values.map(({ name: value, number, description: text }) => [`${number}`, `\`${value}\``, oneLine(text)]);
  return `### ${shortName(name)}\n\n${description}\n\n${table(["", "value", ""], rows)}\n`;
}
