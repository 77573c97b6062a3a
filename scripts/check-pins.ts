// Container images of others stand in one table, and files name them as it does. Actions of workflows are named by commit.
//
//   node scripts/check-pins.ts [FOLDER]
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { imageNames } from "./bundle.ts";
import { root, runMain, StepError } from "./install.mjs";

const page = "docs/operations/images.md";
const skipped = new Set(["node_modules", ".git", ".local", "dist", "gen", "third_party", "releases"]);
const ownImage = new RegExp(`(^|/)aiplatform/(${imageNames.join("|")})([:@]|$)`);

const dockerfiles = "**/*Dockerfile";
/** How files of a kind name images. */
const imagePatterns: Readonly<Record<string, RegExp>> = {
  [dockerfiles]: /^(?:ARG \w*IMAGE=|FROM (?:--platform=\S+ )?|COPY (?:--\S+ )*--from=)([^\s"]+)/g,
  "{,.github/}**/*.{yaml,yml}": /(?:\b(?:image|newName): *["']?|\bSERVING_IMAGE=|\buses: *docker:\/\/)([^\s"',}\]]+)/g,
  "**/*.{ts,mjs}": /(?:new GenericContainer\(|[iI]mage = )"([^"]+)"/g,
};
const comment = /^\s*(#|\/\/).*/;
const actions = /\buses: *(?!docker:|\.\/)(\S+)(.*)$/g;
const byCommit = /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/;

interface Mention {
  /** File and line. */
  readonly place: string;
  readonly name: string;
  /** What follows the name on its line. */
  readonly rest: string;
}

function mentions(folder: string, files: string, pattern: RegExp): Mention[] {
  const paths = globSync(files, { cwd: folder, exclude: (path) => skipped.has(path.split(/[\\/]/).at(-1) ?? "") });
  return paths.sort().flatMap((path) =>
    readFileSync(join(folder, path), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        [...line.replace(comment, "").matchAll(pattern)].map(([, name = "", rest = ""]) => ({
          place: `${path}:${index + 1}`,
          name,
          rest,
        })),
      ),
  );
}

/** Images of others: no image of ours, no stage of a Dockerfile, no argument, not the empty image. */
function imagesOfOthers(folder: string): Mention[] {
  const stages = new Set(mentions(folder, dockerfiles, / AS (\S+)$/gi).map(({ name }) => name));
  return Object.entries(imagePatterns)
    .flatMap(([files, pattern]) => mentions(folder, files, pattern))
    .filter(({ name }) => !(name.includes("$") || name === "scratch" || stages.has(name) || ownImage.test(name)));
}

/** Image with its tag → its digest, or "" where the table has none. @throws StepError when an image has two rows */
function recorded(folder: string): Map<string, string> {
  const rows = new Map<string, string>();
  const text = readFileSync(join(folder, page), "utf8");
  for (const [, image = "", digest = ""] of text.matchAll(
    /^\| `([^`\s]+:[^`\s]+)` \| (?:`(sha256:[0-9a-f]{64})`|none) \| [^|]+ \|$/gm,
  )) {
    if (rows.has(image)) throw new StepError(`${page}: ${image} has two rows; keep one`);
    rows.set(image, digest);
  }
  return rows;
}

/** What is wrong with how an image is named, or undefined. */
function objection(name: string, rows: ReadonlyMap<string, string>): string | undefined {
  const [image = "", digest = ""] = name.split("@");
  const wanted = rows.get(image);
  if (wanted === undefined) return `${name} has no row in ${page}; add one with its digest`;
  if (wanted !== digest && wanted) return `${name} is not what ${page} records; write ${image}@${wanted}`;
  return wanted === digest ? undefined : `${page} records no digest of ${image}; record ${digest}`;
}

runMain(async () => {
  const folder = process.argv[2] ?? root;
  const rows = recorded(folder);
  const images = imagesOfOthers(folder);
  const named = new Set(images.map(({ name }) => name.split("@")[0]));
  const found = [
    ...images.flatMap(({ place, name }) => {
      const wrong = objection(name, rows);
      return wrong ? [`${place}: ${wrong}`] : [];
    }),
    ...[...rows.keys()].filter((image) => !named.has(image)).map((image) => `${page}: nothing names ${image}`),
    ...mentions(folder, ".github/workflows/*.{yaml,yml}", actions)
      .filter(({ name, rest }) => !byCommit.test(name) || !/^ # v\d+\.\d+\.\d+$/.test(rest))
      .map(({ place, name }) => `${place}: ${name}: name the action by its commit, and the version behind # `.trim()),
  ];
  if (found.length > 0) throw new StepError(found.join("\n"));
  const open = [...rows].filter(([, digest]) => !digest).map(([image]) => image);
  process.stdout.write(`${rows.size} images of others${open.length > 0 ? `, by tag alone: ${open.join(", ")}` : ""}\n`);
});
