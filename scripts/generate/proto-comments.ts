type Kind =
  | "messageType"
  | "enumType"
  | "service"
  | "extension"
  | "field"
  | "nestedType"
  | "oneofDecl"
  | "value"
  | "method";
type Children = Readonly<Record<number, Kind>>;

/** A descriptor in the JSON form of an image. */
type Descriptor = { readonly name: string } & { readonly [kind in Kind]?: readonly Descriptor[] };

type FileDescriptor = Descriptor & {
  readonly package?: string;
  readonly sourceCodeInfo?: {
    readonly location?: readonly { readonly path?: readonly number[]; readonly leadingComments?: string }[];
  };
};

/** What `buf build` makes of the contract, as JSON. */
export interface Image {
  readonly file: readonly FileDescriptor[];
}

/** Where the children of a descriptor stand in a `SourceCodeInfo` path: field number → JSON name. */
const fileChildren: Children = { 4: "messageType", 5: "enumType", 6: "service", 7: "extension" };
const messageChildren: Children = { 2: "field", 3: "nestedType", 4: "enumType", 6: "extension", 8: "oneofDecl" };
const childrenOf: Partial<Record<Kind, Children>> = {
  messageType: messageChildren,
  nestedType: messageChildren,
  enumType: { 2: "value" },
  service: { 2: "method" },
};

function symbolAt(file: FileDescriptor, path: readonly number[]): string | undefined {
  let node: Descriptor = file;
  let children: Children | undefined = fileChildren;
  const names = file.package ? [file.package] : [];
  for (let index = 0; index < path.length; index += 2) {
    const kind: Kind | undefined = children?.[path[index] ?? -1];
    const child: Descriptor | undefined = kind && node[kind]?.[path[index + 1] ?? -1];
    if (!kind || !child) return undefined;
    node = child;
    children = childrenOf[kind];
    names.push(child.name);
  }
  return names.join(".");
}

/**
 * Fully qualified name → leading comment, of every commented symbol of our own modules, sorted by name.
 * The messages that code is generated for carry no comments, and the reference pages are made of them.
 */
export function commentsBySymbol(image: Image): Record<string, string> {
  const ours = image.file.filter(({ name }) => /^(aiplatform|transcoder)\//.test(name));
  const entries = ours.flatMap((file) =>
    (file.sourceCodeInfo?.location ?? []).flatMap(({ path = [], leadingComments = "" }): [string, string][] => {
      const symbol = leadingComments !== "" && path.length > 0 && symbolAt(file, path);
      return symbol ? [[symbol, leadingComments.trim().replace(/\n /g, "\n")]] : [];
    }),
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
