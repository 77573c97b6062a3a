import { type ChildProcess, spawn } from "node:child_process";

/**
 * A shell that ends what it was told about and removes the directory and the control group once its standard input closes, which the kernel does
 * for us however this process ends. It runs in a session of its own, so that a signal to our group passes it by.
 */
const script = `
pids=""
while read -r op pid; do
  case "$op" in
    +) pids="$pids $pid" ;;
    -) kept=""; for p in $pids; do [ "$p" = "$pid" ] || kept="$kept $p"; done; pids="$kept" ;;
    .) exit 0 ;;
  esac
done
for p in $pids; do kill -KILL "$p" 2>/dev/null; done
if [ -n "$1" ]; then
  echo 1 > "$1/cgroup.kill"
  tries=0
  while rmdir "$1"/*/; rmdir "$1"; [ -d "$1" ] && [ "$tries" -lt 50 ]; do tries=$((tries + 1)); sleep 0.1; done
fi 2>/dev/null
rm -rf "$0"
`;

/** Sees to it that nothing outlives this process, not even when it is killed. */
export class ProcessGuard implements AsyncDisposable {
  readonly #shell: ChildProcess;

  /** `group`: directory of the control group that the instances' groups are in. Absent: they are in none. */
  constructor(directory: string, group = "") {
    this.#shell = spawn("/bin/sh", ["-c", script, directory, group], {
      stdio: ["pipe", "ignore", "ignore"],
      detached: true,
    });
    // Without a shell the instances still end by themselves once their standard input closes.
    this.#shell.on("error", () => {});
    this.#shell.stdin?.on("error", () => {});
  }

  /** Has a process end with this one. */
  add(pid: number): void {
    this.#shell.stdin?.write(`+ ${pid}\n`);
  }

  /** A process has ended: its id may be given to another process. */
  drop(pid: number): void {
    this.#shell.stdin?.write(`- ${pid}\n`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { pid, exitCode, signalCode } = this.#shell;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const over = new Promise((resolve) => this.#shell.once("exit", resolve));
    this.#shell.stdin?.end(". 0\n");
    await over;
  }
}
