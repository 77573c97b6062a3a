import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cacheDirectory, findBinary, mongodBinary, natsServerBinary } from "@aiplatform/local-platform";
import { docker, isToBeHad } from "./docker.ts";

/** An image made of this machine's files: where no registry can be reached, it stands in for the public one of its name. */
interface Substitute {
  readonly name: string;
  /** Programs by their path in the image; the libraries they load come along. */
  readonly programs: () => Promise<Readonly<Record<string, string>>>;
  /** Folders and files by their path in the image. */
  readonly files?: () => Readonly<Record<string, string>>;
  /** Links by their path in the image, and what they point at. */
  readonly links?: Readonly<Record<string, string>>;
  /** Lines of the Dockerfile behind the files. */
  readonly configuration?: () => readonly string[];
}

const workspace = join(import.meta.dirname, "..", "..");
const certificates = "/etc/ssl/certs/ca-certificates.crt";
const passwords = "root:x:0:0::/root:/sbin/nologin\nnonroot:x:65532:65532::/home/nonroot:/sbin/nologin\n";

/** The Node that the repository brings along. */
function ownNode(): string {
  return realpathSync(join(workspace, "node_modules", ".bin", "node"));
}

function npmFolder(): string {
  const npm = execFileSync("/bin/sh", ["-c", "command -v npm"], { encoding: "utf8" }).trim();
  return dirname(dirname(realpathSync(npm)));
}

/** Libraries where the loader finds them, by their place. */
function libraries(...names: string[]): Record<string, string> {
  const known = execFileSync("/sbin/ldconfig", ["-p"], { encoding: "utf8" }).split("\n");
  return Object.fromEntries(
    names.flatMap((name) => {
      const path = known.find((line) => line.trim().startsWith(`${name} `))?.split(" => ")[1];
      return path ? [[path, path]] : [];
    }),
  );
}

function onPath(...names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => {
      const path = execFileSync("/bin/sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
      return [`/usr/bin/${name}`, path];
    }),
  );
}

/** Folder with MongoDB's shell, which its image has and the setup of the replica set in a cluster calls. */
function installedShell(): string {
  const folder = join(cacheDirectory(), "mongosh-2.12.0");
  if (existsSync(join(folder, "complete"))) return folder;
  mkdirSync(folder, { recursive: true });
  const install = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder, "mongosh@2.12.0"];
  execFileSync("npm", install, { stdio: "pipe" });
  writeFileSync(join(folder, "complete"), "");
  return folder;
}

async function part(wanted: typeof mongodBinary): Promise<string> {
  const found = await findBinary(wanted);
  if (found.path === undefined) throw new Error(`no program to make an image of: ${found.obstacles.join("; ")}`);
  return found.path;
}

const substitutes: readonly Substitute[] = [
  {
    name: "node:26.10.0-trixie-slim",
    programs: async () => ({ "/usr/local/bin/node": ownNode(), "/bin/sh": "/bin/sh", ...onPath("find", "env") }),
    files: () => ({
      "/usr/local/lib/node_modules/npm": npmFolder(),
      ...(existsSync(certificates) ? { [certificates]: certificates } : {}),
    }),
    links: { "/usr/local/bin/npm": "../lib/node_modules/npm/bin/npm-cli.js" },
    configuration: () => [
      "ENV PATH=/usr/local/bin:/usr/bin:/bin",
      ...(existsSync(certificates) ? [`ENV NODE_EXTRA_CA_CERTS=${certificates}`] : []),
    ],
  },
  {
    name: "gcr.io/distroless/nodejs26-debian13:nonroot",
    // Beside what Node loads: the rest of the C library, which addons ask for.
    programs: async () => ({
      "/nodejs/bin/node": ownNode(),
      ...libraries("librt.so.1", "libdl.so.2", "libpthread.so.0"),
    }),
    configuration: () => ["USER 65532:65532", 'ENTRYPOINT ["/nodejs/bin/node"]'],
  },
  {
    name: "mongo:7.0",
    programs: async () => ({
      "/usr/bin/mongod": await part(mongodBinary),
      "/usr/local/bin/node": ownNode(),
      ...onPath("env"),
    }),
    files: () => ({ "/usr/local/lib/mongosh": installedShell() }),
    links: { "/usr/bin/mongosh": "../local/lib/mongosh/node_modules/mongosh/bin/mongosh.js" },
    configuration: () => ["ENV PATH=/usr/local/bin:/usr/bin:/bin", 'ENTRYPOINT ["/usr/bin/mongod"]'],
  },
  {
    name: "nats:2.12",
    programs: async () => ({ "/nats-server": await part(natsServerBinary) }),
    configuration: () => ['ENTRYPOINT ["/nats-server"]'],
  },
];

/** Arguments of the Dockerfile that name an image, with the image by its digest. */
function pinnedBases(): { argument: string; image: string }[] {
  const lines = readFileSync(join(workspace, "Dockerfile"), "utf8").matchAll(/^ARG (\w+_IMAGE)=(\S+)$/gm);
  return [...lines].map(([, argument = "", image = ""]) => ({ argument, image }));
}

/**
 * Provides the public images which ours are made of, and run beside: pulled, or made of this machine. Answers options for the
 * build of ours: a base that was made of this machine has another digest than the one that the Dockerfile names.
 */
export async function provideBases(): Promise<string[]> {
  const bases = pinnedBases();
  const options: string[] = [];
  for (const substitute of substitutes) {
    const { name } = substitute;
    const base = bases.find(({ image }) => image.startsWith(`${name}@`));
    if (await isToBeHad(base?.image ?? name)) continue;
    await make(substitute);
    if (base) options.push("--build-arg", `${base.argument}=${name}`);
  }
  return options;
}

async function make({ name, programs, files, links, configuration }: Substitute): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "base-image-"));
  try {
    const root = join(folder, "root");
    const wanted = await programs();
    for (const [to, from] of Object.entries({ ...wanted, ...files?.() })) put(root, from, to);
    for (const library of librariesOf(Object.values(wanted))) put(root, library, library);
    for (const [path, target] of Object.entries(links ?? {})) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      symlinkSync(target, join(root, path));
    }
    for (const place of ["etc", "tmp", "data/db", "root"]) mkdirSync(join(root, place), { recursive: true });
    execFileSync("chmod", ["1777", join(root, "tmp"), join(root, "data/db")]);
    writeFileSync(join(root, "etc/passwd"), passwords);
    const lines = ["FROM scratch", "COPY root/ /", ...(configuration?.() ?? [])];
    writeFileSync(join(folder, "Dockerfile"), `${lines.join("\n")}\n`);
    await docker("build", "--tag", name, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies a file or folder by what it really is. */
function put(root: string, from: string, to: string): void {
  mkdirSync(dirname(join(root, to)), { recursive: true });
  cpSync(realpathSync(from), join(root, to), { recursive: true });
}

/** What programs load, their loader among it; a static one loads nothing. */
function librariesOf(programs: readonly string[]): ReadonlySet<string> {
  const lines = programs.flatMap((program) => {
    try {
      return execFileSync("ldd", [program], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).split("\n");
    } catch {
      return [];
    }
  });
  return new Set(lines.flatMap((line) => /(\/\S+) \(0x/.exec(line)?.[1] ?? []));
}
