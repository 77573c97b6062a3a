// What the contract and its comments say of RPCs, messages and events, for the pages of the reference.
import { access } from "@aiplatform/contract/aiplatform/access/v1/access";
import { type Event, event } from "@aiplatform/contract/aiplatform/events/v1/event";
import commentsBySymbol from "@aiplatform/contract/comments.json" with { type: "json" };
import { events } from "@aiplatform/contract/events";
import { services } from "@aiplatform/contract/services";
import { route } from "@aiplatform/contract/transcoder/v1/route";
import { listDescriptions } from "@aiplatform/transcoder";
import {
  type DescEnum,
  type DescField,
  type DescMessage,
  type DescMethod,
  type DescService,
  getOption,
  hasOption,
  ScalarType,
} from "@bufbuild/protobuf";

const comments: Readonly<Record<string, string>> = commentsBySymbol;
const commentOf = (symbol: string) => comments[symbol] ?? "";

export interface FieldFacts {
  readonly name: string;
  readonly number: number;
  readonly type: string;
  readonly optional: boolean;
  readonly description: string;
}

export interface MessageFacts {
  readonly name: string;
  readonly description: string;
  readonly fields: readonly FieldFacts[];
}

export interface EventFacts
  extends MessageFacts,
    Pick<Event, "domain" | "entity" | "happened" | "audited" | "readPermission"> {
  /** Proto files that its fields need. */
  readonly imports: readonly string[];
}

export interface EnumFacts {
  readonly name: string;
  readonly description: string;
  readonly values: readonly { readonly name: string; readonly number: number; readonly description: string }[];
}

export interface MethodFacts {
  readonly name: string;
  readonly description: string;
  readonly kind: DescMethod["methodKind"];
  /** The permission it needs, or the kind of its rule. */
  readonly permission: string;
  /** Whether only services call it. */
  readonly internal: boolean;
  /** Method and path over REST; empty where it has none. */
  readonly route: string;
  readonly request: string;
  readonly response: string;
}

export interface ServiceFacts {
  readonly name: string;
  readonly description: string;
  readonly methods: readonly MethodFacts[];
}

const scalarName = (scalar: ScalarType) => (ScalarType[scalar] ?? "").toLowerCase();

function typeOf(field: DescField): string {
  const { scalar, message, enum: enumeration } = field;
  const one = scalar === undefined ? ((message ?? enumeration)?.typeName ?? "") : scalarName(scalar);
  if (field.fieldKind === "list") return `repeated ${one}`;
  return field.fieldKind === "map" ? `map<${scalarName(field.mapKey)}, ${one}>` : one;
}

function factsOfMessage(desc: DescMessage): MessageFacts {
  const { typeName, fields } = desc;
  const derived = listDescriptions(desc);
  return {
    name: typeName,
    description: commentOf(typeName),
    fields: fields.map((field) => ({
      name: field.name,
      number: field.number,
      type: typeOf(field),
      optional: field.proto.proto3Optional === true,
      description: [commentOf(`${typeName}.${field.name}`), derived[field.name] ?? ""].join("\n").trimEnd(),
    })),
  };
}

function factsOfEnum({ typeName, values }: DescEnum): EnumFacts {
  return {
    name: typeName,
    description: commentOf(typeName),
    values: values.map(({ name, number }) => ({ name, number, description: commentOf(`${typeName}.${name}`) })),
  };
}

function factsOfMethod(method: DescMethod): MethodFacts {
  const { rule, internal } = getOption(method, access);
  const pattern = hasOption(method, route) ? getOption(method, route).pattern : undefined;
  return {
    name: method.name,
    description: commentOf(`${method.parent.typeName}.${method.name}`),
    kind: method.methodKind,
    permission: (rule.case === "permission" ? rule.value : rule.case) ?? "",
    internal,
    route: pattern?.case === undefined ? "" : `${pattern.case.toUpperCase()} ${pattern.value}`,
    request: method.input.typeName,
    response: method.output.typeName,
  };
}

const factsOfService = ({ typeName, methods }: DescService): ServiceFacts => ({
  name: typeName,
  description: commentOf(typeName),
  methods: methods.map(factsOfMethod),
});

/** Every event that services announce. */
export function contractEvents(): EventFacts[] {
  return events.map((desc) => {
    const { domain, entity, happened, audited, readPermission } = getOption(desc, event);
    const files = desc.fields.flatMap(({ message, enum: enumeration }) => (message ?? enumeration)?.file ?? []);
    const imports = [...new Set(files.filter((file) => file !== desc.file).map(({ name }) => `${name}.proto`))].sort();
    return { ...factsOfMessage(desc), domain, entity, happened, audited, readPermission, imports };
  });
}

/** Every service, with all messages and enums that its RPCs lead to. */
export function contractServices(): { services: ServiceFacts[]; messages: MessageFacts[]; enums: EnumFacts[] } {
  const messages = new Map<string, MessageFacts>();
  const enums = new Map<string, EnumFacts>();
  const visit = (desc: DescMessage) => {
    if (messages.has(desc.typeName) || desc.typeName.startsWith("google.")) return;
    messages.set(desc.typeName, factsOfMessage(desc));
    for (const field of desc.fields) {
      if (field.message) visit(field.message);
      if (field.enum) enums.set(field.enum.typeName, factsOfEnum(field.enum));
    }
  };
  for (const { input, output } of services.flatMap(({ methods }) => methods)) [input, output].forEach(visit);
  return { services: services.map(factsOfService), messages: [...messages.values()], enums: [...enums.values()] };
}
