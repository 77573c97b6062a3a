// What the published libraries promise in TypeScript: a report of each, whose changes a review sees.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../install.mjs";

/** Package → its entries, by what importers write after its name. */
const libraries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  client: { "": "src/index", "/operations": "src/operations" },
  transcoder: { "": "src/index" },
};

/** A module as the compiler declares it. */
interface Module {
  /** Name → its declarations; functions may have several. */
  readonly declared: ReadonlyMap<string, readonly string[]>;
  /** Name → the module of the same package that has it. */
  readonly imported: ReadonlyMap<string, string>;
  /** Those of `imported` that it exports again, and those of `declared` that it exports. */
  readonly exported: readonly string[];
}

/** Path and text of each report. */
export function* apiReports(): Generator<[path: string, text: string]> {
  for (const [name, entries] of Object.entries(libraries)) {
    const folder = mkdtempSync(join(tmpdir(), "declarations-"));
    try {
      const project = join(root, "packages", name, "tsconfig.published.json");
      const only = ["--emitDeclarationOnly", "--noCheck", "--removeComments"];
      const noMaps = ["--sourceMap", "false", "--inlineSources", "false"];
      execFileSync(join(root, "node_modules", ".bin", "tsc"), ["-p", project, "--outDir", folder, ...only, ...noMaps]);
      yield [join("packages", name, "api.md"), report(name, new Declarations(folder), entries)];
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

function report(name: string, declarations: Declarations, entries: Readonly<Record<string, string>>): string {
  const title = `@aiplatform/${name}`;
  const sections = Object.entries(entries).map(([suffix, entry]) => {
    const { promised, internal, generated } = declarations.reachable(entry);
    const made =
      generated.length === 0
        ? ""
        : `\nBesides, what is generated from the API's description: ${generated.join(", ")}.\n`;
    const named = internal.length === 0 ? "" : `\nNamed by these, and not exported:\n\n${block(internal)}`;
    return `\n## \`${title}${suffix}\`\n\n${block(promised)}${made}${named}`;
  });
  return `# API of ${title}\n\n<!-- Made by npm run generate. Do not edit. -->\n${sections.join("")}`;
}

const block = (statements: readonly string[]) => `\`\`\`ts\n${statements.join("\n")}\`\`\`\n`;

/** The declarations of a package, read as they are needed. */
class Declarations {
  readonly #folder: string;
  readonly #modules = new Map<string, Module>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The statements that an entry exports, and those of the package that they name, each sorted by name. */
  reachable(entry: string): { promised: string[]; internal: string[]; generated: string[] } {
    const found = new Map<string, readonly string[]>();
    const keys = new Map(this.#module(entry).exported.map((name) => [name, this.#visit(entry, name, found)]));
    const promised = new Set(keys.values());
    const sorted = [...found].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const statements = (isWanted: (key: string) => boolean) =>
      sorted.filter(([key]) => isWanted(key)).flatMap(([, each]) => each);
    return {
      promised: statements((key) => promised.has(key)),
      internal: statements((key) => !promised.has(key)),
      generated: [...keys].filter(([, key]) => key === undefined).map(([name]) => `\`${name}\``),
    };
  }

  /** Adds a name of a module and all that its declaration names. Answers its key; undefined for a name of another package. */
  #visit(path: string, name: string, found: Map<string, readonly string[]>): string | undefined {
    const { declared, imported } = this.#module(path);
    const source = imported.get(name);
    if (source !== undefined) return this.#visit(source, name, found);
    const statements = declared.get(name);
    if (statements === undefined) return undefined;
    const key = `${name} ${path}`;
    if (found.has(key)) return key;
    found.set(key, statements);
    const names = new Set(statements.flatMap((statement) => statement.match(/[A-Za-z_$][\w$]*/g) ?? []));
    for (const other of names) if (other !== name) this.#visit(path, other, found);
    return key;
  }

  #module(path: string): Module {
    const known = this.#modules.get(path);
    if (known !== undefined) return known;
    const file = join(this.#folder, `${path}.d.ts`);
    const module = existsSync(file) ? moduleOf(path, readFileSync(file, "utf8")) : generatedModule;
    this.#modules.set(path, module);
    return module;
  }
}

/** Declarations that are committed, and made from what has a record of its own: docs/openapi.json, the contract. */
const generatedModule: Module = { declared: new Map(), imported: new Map(), exported: [] };

/** Statements begin, and nothing else does, with a letter in the first column. */
function moduleOf(path: string, text: string): Module {
  const declared = new Map<string, string[]>();
  const imported = new Map<string, string>();
  const exported: string[] = [];
  for (const statement of text.split(/^(?=[a-z])/m)) {
    const [, verb, list = "", from = ""] = /^(import|export)[^{]*\{([^}]*)\} from "(\.[^"]*)"/.exec(statement) ?? [];
    if (verb !== undefined) {
      for (const [name] of list.matchAll(/\b(?!type\b)\w+/g)) {
        imported.set(name, join(dirname(path), from.replace(/(\.d)?\.ts$/, "")));
        if (verb === "export") exported.push(name);
      }
      continue;
    }
    const [, exports, name] =
      /^(export )?(?:declare )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/.exec(statement) ?? [];
    if (name === undefined) continue;
    declared.set(name, [...(declared.get(name) ?? []), statement.replaceAll("    ", "  ")]);
    if (exports !== undefined && !exported.includes(name)) exported.push(name);
  }
  return { declared, imported, exported };
}
