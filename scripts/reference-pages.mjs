// The catalogue of events (AsyncAPI 3) and the pages of the gRPC reference, both from the contract and its comments.
import { join } from "node:path";

/** A program that prints, as JSON, what the contract says of events and RPCs. */
const program = `
import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { event } from "@aiplatform/contract/aiplatform/events/v1/event";
import comments from "@aiplatform/contract/comments.json" with { type: "json" };
import { events } from "@aiplatform/contract/events";
import { services } from "@aiplatform/contract/services";
import { route } from "@aiplatform/contract/transcoder/v1/route";
import { getOption, hasOption, ScalarType } from "@bufbuild/protobuf";

const typeOf = (field) => {
  const one = (kind, of) => kind === "scalar" ? ScalarType[of.scalar ?? of.mapKey].toLowerCase() : (of.message ?? of.enum).typeName;
  if (field.fieldKind === "list") return "repeated " + one(field.listKind, field);
  if (field.fieldKind === "map") return "map<" + ScalarType[field.mapKey].toLowerCase() + ", " + one(field.mapKind, field) + ">";
  return one(field.fieldKind, field);
};
const described = (desc) => ({
  name: desc.typeName,
  says: comments[desc.typeName] ?? "",
  fields: desc.fields.map((field) => ({
    name: field.name, number: field.number, type: typeOf(field), optional: field.proto.proto3Optional === true,
    says: comments[desc.typeName + "." + field.name] ?? "",
  })),
});
const catalogue = events.map((desc) => ({ ...described(desc), ...getOption(desc, event) }));
const methods = (service) => service.methods.map((method) => {
  const { rule } = getOption(method, access);
  const { pattern } = hasOption(method, route) ? getOption(method, route) : { pattern: {} };
  return {
    name: method.name,
    says: comments[service.typeName + "." + method.name] ?? "",
    kind: method.methodKind,
    permission: rule.case === "permission" ? rule.value : rule.case,
    route: pattern.case === undefined ? "" : pattern.case.toUpperCase() + " " + pattern.value,
    request: method.input.typeName,
    response: method.output.typeName,
  };
});
const messages = new Map();
const enums = new Map();
const visit = (desc) => {
  if (messages.has(desc.typeName) || desc.typeName.startsWith("google.")) return;
  messages.set(desc.typeName, described(desc));
  for (const field of desc.fields) {
    if (field.message) visit(field.message);
    if (field.enum) enums.set(field.enum.typeName, {
      name: field.enum.typeName, says: comments[field.enum.typeName] ?? "",
      values: field.enum.values.map(({ name, number }) => ({ name, number, says: comments[field.enum.typeName + "." + name] ?? "" })),
    });
  }
};
for (const service of services) for (const method of service.methods) { visit(method.input); visit(method.output); }
process.stdout.write(JSON.stringify({
  catalogue,
  services: services.map((service) => ({ name: service.typeName, says: comments[service.typeName] ?? "", methods: methods(service) })),
  messages: [...messages.values()],
  enums: [...enums.values()],
}));`;

/** Path → text of each page. `evaluate` runs a program of ours and answers what it prints. */
export async function referencePages(evaluate) {
  const contract = JSON.parse(await evaluate(program));
  return new Map([
    [join("docs", "asyncapi.json"), `${JSON.stringify(eventCatalogue(contract.catalogue), undefined, 2)}\n`],
    ...grpcPages(contract),
  ]);
}

function eventCatalogue(events) {
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

const nameOf = ({ domain, entity, happened }) => `${domain}_${entity}_${happened}`;

function channelOf(event) {
  const { domain, entity, happened } = event;
  const says = { organisation: "The organisation concerned.", id: `The ${entity.replaceAll("_", " ")} concerned.` };
  return {
    address: `aiplatform.${domain}.${entity}.${happened}.v1.{organisation}.{id}`,
    parameters: Object.fromEntries(Object.entries(says).map(([name, description]) => [name, { description }])),
    messages: { event: { $ref: `#/components/messages/${nameOf(event)}` } },
  };
}

function operationOf(event) {
  return { action: "send", channel: { $ref: `#/channels/${nameOf(event)}` }, tags: [{ name: event.domain }] };
}

function messageOf(event) {
  const lines = event.fields.flatMap(({ name, number, type, optional, says }) => [
    ...says.split("\n").map((line) => `  // ${line}`),
    `  ${optional ? "optional " : ""}${type} ${name} = ${number};`,
  ]);
  const short = shortName(event.name);
  const isTimed = event.fields.some(({ type }) => type === "google.protobuf.Timestamp");
  const imports = isTimed ? `import "google/protobuf/timestamp.proto";\n\n` : "";
  return {
    name: event.name,
    summary: event.says,
    description: event.audited
      ? "The audit log keeps a record of every such event."
      : "The audit log keeps no record of it.",
    contentType: "application/protobuf",
    traits: [{ $ref: "#/components/messageTraits/cloudEvent" }],
    payload: {
      schemaFormat: "application/vnd.google.protobuf;version=3",
      schema: `syntax = "proto3";\n\n${imports}message ${short} {\n${lines.join("\n")}\n}\n`,
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
      traceparent: { type: "string", description: "The trace it belongs to." },
    },
  },
};

/** A page per service of the mesh. */
function grpcPages({ services, messages, enums }) {
  const ownerOf = (name) => name.split(".")[1];
  const owners = [...new Set(services.map(({ name }) => ownerOf(name)))].sort();
  return owners.map((owner) => {
    const own = services.filter(({ name }) => ownerOf(name) === owner);
    const names = reachable(own, messages);
    const text = [
      `# gRPC: ${owner}\n`,
      "Generated from the contract. Every call carries a credential as `authorization: Bearer …`, unless it is public.\n",
      ...own.map(servicePage),
      "## Messages\n",
      ...messages.filter(({ name }) => names.has(name)).map(messagePage),
      ...enums.filter(({ name }) => names.has(name)).map(enumPage),
    ];
    return [join("docs", "grpc", `${owner}.md`), `${text.join("\n").trimEnd()}\n`];
  });
}

function reachable(services, messages) {
  const byName = new Map(messages.map((each) => [each.name, each]));
  const found = new Set();
  const visit = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const { type } of byName.get(name)?.fields ?? [])
      for (const part of type.match(/[A-Za-z_][\w.]*/g) ?? []) visit(part);
  };
  for (const { methods } of services) for (const { request, response } of methods) [request, response].forEach(visit);
  return found;
}

const oneLine = (text) => text.replaceAll("\n", " ").replaceAll("|", "\\|");
const kinds = {
  unary: "",
  server_streaming: "streams answers",
  client_streaming: "takes a stream",
  bidi_streaming: "streams both ways",
};

function servicePage({ name, says, methods }) {
  const rows = methods.map(({ name: method, says: text, kind, permission, route, request, response }) => {
    const facts = [kinds[kind], route && `\`${route}\``].filter(Boolean).join(", ");
    return `| **${method}** | ${oneLine(text)}${facts ? ` (${facts})` : ""} | \`${permission}\` | ${shortName(request)} → ${shortName(response)} |`;
  });
  return `## ${name}\n\n${says}\n\n| RPC | | permission | messages |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n`;
}

const shortName = (name) => name.split(".").at(-1);

function messagePage({ name, says, fields }) {
  const rows = fields.map(
    ({ name: field, number, type, optional, says: text }) =>
      `| ${number} | \`${field}\` | ${optional ? "optional " : ""}${type.replaceAll(/aiplatform\.\w+\.v1\./g, "")} | ${oneLine(text)} |`,
  );
  const table = rows.length > 0 ? `\n| | field | type | |\n| --- | --- | --- | --- |\n${rows.join("\n")}\n` : "";
  return `### ${shortName(name)}\n\n${says}\n${table}`;
}

function enumPage({ name, says, values }) {
  const rows = values.map(({ name: value, number, says: text }) => `| ${number} | \`${value}\` | ${oneLine(text)} |`);
  return `### ${shortName(name)}\n\n${says}\n\n| | value | |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}
