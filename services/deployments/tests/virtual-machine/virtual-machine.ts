import { spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { initramfs } from "./initramfs.ts";

/** What starts a machine. */
interface MachineParts {
  readonly qemu: string;
  readonly kernel: string;
  readonly modules: string;
}

const qemu = "qemu-system-x86_64";

/**
 * The emulator, and a kernel with its modules: VM_KERNEL, or the newest of /boot. A kernel at `D/boot/vmlinuz-V` has its modules in
 * `D/lib/modules/V`. A text: what is missing.
 */
export function findMachineParts(): MachineParts | string {
  if (process.arch !== "x64") return `the machine is made for x86-64, and this one is ${process.arch}`;
  const paths = (process.env["PATH"] ?? "").split(":").map((folder) => join(folder, qemu));
  if (!paths.some((path) => existsSync(path))) return `${qemu} is not on the PATH`;
  const kernel = process.env["VM_KERNEL"] ?? globSync("/boot/vmlinuz-*").sort().at(-1);
  if (kernel === undefined) return "VM_KERNEL names no kernel, and /boot has none";
  const modules = join(dirname(kernel), "../lib/modules", basename(kernel).replace("vmlinuz-", ""));
  if (!existsSync(join(modules, "modules.dep"))) return `${modules} has no modules of the kernel ${kernel}`;
  return { qemu, kernel, modules };
}

/** Longest life of a machine, ms: it needs two minutes of a processor, which others may use as well. */
export const maxLifeMs = 1_500_000;

/**
 * Runs a shell script as the first process of a machine with one processor, and returns what it and the kernel wrote. The processor is
 * emulated, which works on machines that are virtual themselves, at a tenth of the speed.
 */
export async function runInMachine({ kernel, modules }: MachineParts, script: string): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "virtual-machine-"));
  try {
    const initrd = join(directory, "initramfs");
    writeFileSync(initrd, initramfs(modules, script));
    const files = "local,path=/,mount_tag=host,security_model=none,readonly=on,multidevs=remap";
    const machine = spawn(
      qemu,
      [
        ...["-accel", "tcg", "-cpu", "max", "-smp", "1", "-m", "1536"],
        ...["-display", "none", "-monitor", "none", "-serial", "stdio", "-no-reboot", "-nic", "none"],
        ...["-virtfs", files, "-kernel", kernel, "-initrd", initrd],
        // It ends with its first process: the kernel then panics, and a panic ends it.
        ...["-append", "console=ttyS0 loglevel=4 panic=-1 cgroup_no_v1=all"],
      ],
      { stdio: ["ignore", "pipe", "inherit"], timeout: maxLifeMs, killSignal: "SIGKILL" },
    );
    let output = "";
    for await (const text of machine.stdout.setEncoding("utf8")) output += text;
    return output;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
