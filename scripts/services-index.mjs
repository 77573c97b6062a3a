// Lists every service of the platform's own contract in one generated module, so that what serves all of them (routes,
// pass-through, the permission catalogue) need not be told when one is added.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Writes `services_pb.js` and its declaration into the folder of generated code. */
export function writeServicesIndex(folder) {
  const imports = readdirSync(join(folder, "aiplatform"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith("_pb.js"))
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)))
    .sort()
    .flatMap((path) => {
      const found = readFileSync(join(folder, path), "utf8").matchAll(
        /^export const (\w+) = \/\*@__PURE__\*\/\n {2}serviceDesc\(/gm,
      );
      const names = [...found].map(([, name]) => name);
      return names.length > 0 ? [{ path, names }] : [];
    });
  const lines = imports.map(({ path, names }) => `import { ${names.join(", ")} } from "./${path}";`);
  const all = imports.flatMap(({ names }) => names).map((name) => `  ${name},`);
  const header = "// @generated from the services of proto/aiplatform; never edited.\n";
  const js = [
    header,
    ...lines,
    "",
    "/** Every service of the contract. */",
    "export const services = [",
    ...all,
    "];",
    "",
  ];
  writeFileSync(join(folder, "services_pb.js"), js.join("\n"));
  const declaration = `${header}\nimport type { DescService } from "@bufbuild/protobuf";\n\n/** Every service of the contract. */\nexport declare const services: readonly DescService[];\n`;
  writeFileSync(join(folder, "services_pb.d.ts"), declaration);
}
