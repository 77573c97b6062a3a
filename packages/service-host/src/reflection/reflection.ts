import { ViolationsSchema } from "@aiplatform/contract/buf/validate/validate";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import type {
  ServerReflection,
  ServerReflectionRequest,
  ServerReflectionResponseSchema,
} from "@aiplatform/contract/grpc/reflection/v1/reflection";
import { type DescFile, type DescService, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { nestedTypes } from "@bufbuild/protobuf/reflect";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Code, type ServiceImpl } from "@connectrpc/connect";

/** Of files that no service imports: a client can show these details of an error only when it knows their types. */
const errorDetails = [ErrorInfoSchema, ViolationsSchema];

type Answer = NonNullable<MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]>;

/** grpc.reflection.v1: lets grpcurl and its kin call the service without its proto files. */
export function reflectionService(services: readonly DescService[]): ServiceImpl<typeof ServerReflection> {
  const index = new DescriptorIndex(services);
  return {
    async *serverReflectionInfo(requests) {
      for await (const request of requests) {
        yield {
          validHost: request.host,
          originalRequest: request,
          messageResponse: index.answer(request.messageRequest),
        };
      }
    },
  };
}

/** Every file that the services need, found by name, by symbol and by extension. */
class DescriptorIndex {
  readonly #services: readonly string[];
  readonly #files = new Map<string, DescFile>();
  readonly #symbols = new Map<string, DescFile>();
  readonly #extensions = new Map<string, Map<number, DescFile>>();

  constructor(services: readonly DescService[]) {
    this.#services = services.map(({ typeName }) => typeName).sort();
    for (const { file } of services) this.#addFile(file);
    for (const { file } of errorDetails) this.#addFile(file);
  }

  answer({ case: wanted, value }: ServerReflectionRequest["messageRequest"]): Answer {
    switch (wanted) {
      case "listServices":
        return { case: "listServicesResponse", value: { service: this.#services.map((name) => ({ name })) } };
      case "fileByFilename":
        return fileAnswer(this.#files.get(value), value);
      case "fileContainingSymbol":
        return fileAnswer(this.#symbols.get(value), value);
      case "fileContainingExtension":
        return fileAnswer(this.#extensions.get(value.containingType)?.get(value.extensionNumber), value.containingType);
      case "allExtensionNumbersOfType": {
        const extensionNumber = [...(this.#extensions.get(value)?.keys() ?? [])];
        return { case: "allExtensionNumbersResponse", value: { baseTypeName: value, extensionNumber } };
      }
      default:
        return errorAnswer(Code.InvalidArgument, "the request asks for nothing");
    }
  }

  #addFile(file: DescFile): void {
    const name = file.proto.name;
    if (this.#files.has(name)) return;
    this.#files.set(name, file);
    for (const type of nestedTypes(file)) {
      this.#symbols.set(type.typeName, file);
      if (type.kind === "service")
        for (const method of type.methods) this.#symbols.set(`${type.typeName}.${method.name}`, file);
      if (type.kind === "extension") this.#addExtension(type.extendee.typeName, type.number, file);
    }
    for (const dependency of file.dependencies) this.#addFile(dependency);
  }

  #addExtension(extendee: string, number: number, file: DescFile): void {
    const numbers = this.#extensions.get(extendee) ?? new Map<number, DescFile>();
    this.#extensions.set(extendee, numbers.set(number, file));
  }
}

function fileAnswer(file: DescFile | undefined, wanted: string): Answer {
  if (!file) return errorAnswer(Code.NotFound, `${wanted} is not known here`);
  return { case: "fileDescriptorResponse", value: { fileDescriptorProto: withDependencies(file) } };
}

/** The file first, then everything it imports, so that one question is enough. */
function withDependencies(file: DescFile, seen = new Set<DescFile>()): Uint8Array[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const own = toBinary(FileDescriptorProtoSchema, file.proto);
  return [own, ...file.dependencies.flatMap((dependency) => withDependencies(dependency, seen))];
}

function errorAnswer(errorCode: Code, errorMessage: string): Answer {
  return { case: "errorResponse", value: { errorCode, errorMessage } };
}
