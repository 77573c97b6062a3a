// Lists every service and every event of the platform's own contract in generated modules, so that what deals with all of
// them (routes, pass-through, the permission catalogue, the audit log) need not be told when one is added.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

interface Index {
  readonly module: string;
  readonly description: string;
  /** Folder of the generated modules that it lists. */
  readonly below: string;
  /** What finds the declarations in one of them. */
  readonly declared: RegExp;
  readonly type: string;
}

const services: Index = {
  module: "services",
  description: "Every service of the contract.",
  below: "aiplatform",
  declared: /^export const (\w+) = \/\*@__PURE__\*\/\n {2}serviceDesc\(/gm,
  type: "DescService",
};

const events: Index = {
  module: "events",
  description: "Every message that services announce.",
  below: join("aiplatform", "events"),
  // `Event` is what marks a message as one.
  declared: /^export const (?!EventSchema)(\w+) = \/\*@__PURE__\*\/\n {2}messageDesc\(/gm,
  type: "DescMessage",
};

/** Writes `services_pb.js` and `events_pb.js` with their declarations into the folder of generated code. */
export function writeContractIndexes(folder: string): void {
  for (const index of [services, events]) writeIndex(folder, index);
}

function writeIndex(folder: string, { module, description, below, declared, type }: Index): void {
  const imports = readdirSync(join(folder, below), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith("_pb.js"))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
    .flatMap((path) => {
      const found = readFileSync(join(folder, path), "utf8").matchAll(declared);
      const names = [...found].map(([, name]) => name);
      return names.length > 0 ? [{ path, names }] : [];
    });
  const lines = imports.map(({ path, names }) => `import { ${names.join(", ")} } from "./${path}";`);
  const all = imports.flatMap(({ names }) => names).map((name) => `  ${name},`);
  const header = `// @generated from the ${module} of proto/aiplatform; never edited.\n`;
  const js = [header, ...lines, "", `/** ${description} */`, `export const ${module} = [`, ...all, "];", ""];
  writeFileSync(join(folder, `${module}_pb.js`), js.join("\n"));
  const declaration = `${header}\nimport type { ${type} } from "@bufbuild/protobuf";\n\n/** ${description} */\nexport declare const ${module}: readonly ${type}[];\n`;
  writeFileSync(join(folder, `${module}_pb.d.ts`), declaration);
}
