import { execFileSync } from "node:child_process";
import { readFileSync, realpathSync } from "node:fs";
import { dirname } from "node:path";

/** A file or directory of the first file system of a machine. */
interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly data?: Buffer;
}

const [directory, program] = [0o040755, 0o100755];
const align = (size: number) => Buffer.alloc((4 - (size % 4)) % 4);

/** The format that Linux unpacks at its start (cpio, "newc"). */
function archiveOf(entries: readonly Entry[]): Buffer {
  const all = [...entries, { path: "TRAILER!!!", mode: 0 }];
  return Buffer.concat(
    all.flatMap(({ path, mode, data = Buffer.alloc(0) }: Entry, index) => {
      const name = Buffer.from(`${path}\0`);
      const fields = [index + 1, mode, 0, 0, 1, 0, data.length, 0, 0, 0, 0, name.length, 0];
      const head = Buffer.from(`070701${fields.map((field) => field.toString(16).padStart(8, "0")).join("")}`);
      return [head, name, align(head.length + name.length), data, align(data.length)];
    }),
  );
}

/** A program of this machine with the libraries that it names. */
function withLibraries(path: string): Entry[] {
  const listed = execFileSync("ldd", [path], { encoding: "utf8" });
  const libraries = [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, library = ""]) => library);
  return [path, ...libraries].map((file) => ({
    path: file.slice(1),
    mode: program,
    data: readFileSync(realpathSync(file)),
  }));
}

/** With every directory that its files are in. */
function withDirectories(files: readonly Entry[]): Entry[] {
  const found = new Set<string>();
  for (const { path } of files) for (let up = dirname(path); up !== "."; up = dirname(up)) found.add(up);
  return [...[...found].sort().map((path) => ({ path, mode: directory })), ...files];
}

/** Modules as they are in a kernel's directory, in the order in which they are to be loaded, unpacked. */
function modulesOf(directoryOfKernel: string, wanted: readonly string[]): Buffer[] {
  const lines = readFileSync(`${directoryOfKernel}/modules.dep`, "utf8").split("\n");
  return wanted.flatMap((name) => {
    const line = lines.find((each) => new RegExp(`/${name}\\.ko(\\.xz)?:`).test(each));
    // It is built into the kernel.
    if (line === undefined) return [];
    const paths = line.split(/:? /).filter((path) => path !== "");
    // A module stands before those that it needs.
    return paths.toReversed().map((path) => {
      const file = `${directoryOfKernel}/${path}`;
      return path.endsWith(".xz")
        ? execFileSync("xz", ["--decompress", "--stdout", file], { maxBuffer: 67_108_864 })
        : readFileSync(file);
    });
  });
}

const perl = "/usr/bin/perl";
/** By the numbers of x86-64, since Perl has names for neither. */
const [finitModule, mount] = [313, 165];

/** Loads the modules, mounts this machine's files read-only, turns the loopback on, and becomes a shell with the script. */
const init = (modules: number, script: string) => `#!${perl}
for my $number (0 .. ${modules - 1}) {
  open(my $file, "<", "/modules/$number") or die "module $number: $!";
  my $none = "";
  syscall(${finitModule}, fileno($file), $none, 0);
}
mkdir "/host";
my @given = ("host", "/host", "9p", "trans=virtio,version=9p2000.L,msize=262144,cache=loose");
syscall(${mount}, $given[0], $given[1], $given[2], 1, $given[3]) == 0 or die "the files of the host: $!";
socket(my $any, 2, 2, 0) or die "a socket: $!";
my $up = pack("a16 s x14", "lo", 1);
ioctl($any, 0x8914, $up) or die "the loopback: $!";
chroot "/host" or die "the root: $!";
chdir "/";
exec "/bin/sh", "-ec", <<'SCRIPT';
${script}
SCRIPT
`;

/** What a machine starts with that has this machine's files, read-only, and runs a shell script as its first process. */
export function initramfs(directoryOfKernel: string, script: string): Buffer {
  const modules = modulesOf(directoryOfKernel, ["virtio_pci", "9pnet_virtio", "9p"]);
  const files = [
    ...withLibraries(perl),
    ...modules.map((data, index) => ({ path: `modules/${index}`, mode: program, data })),
    { path: "init", mode: program, data: Buffer.from(init(modules.length, script)) },
  ];
  return archiveOf(withDirectories(files));
}
