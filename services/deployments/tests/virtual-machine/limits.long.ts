import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findMachineParts, maxLifeMs, runInMachine } from "./virtual-machine.ts";

const parts = findMachineParts();
const program = join(import.meta.dirname, "limits-program.ts");

/** Control groups of version 2, of which one is given to an ordinary user, as systemd does for `Delegate=cpu memory pids`. */
const script = `
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t tmpfs tmpfs /run
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mkdir -m 777 /run/work
cd /sys/fs/cgroup
echo +memory +cpu +pids > cgroup.subtree_control
mkdir service
chown 65534:65534 service service/cgroup.procs service/cgroup.subtree_control service/cgroup.threads
echo $$ > service/cgroup.procs
cd ${process.cwd()}
HOME=/run/work TMPDIR=/run/work PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin \\
  setpriv --reuid 65534 --regid 65534 --clear-groups -- ${process.execPath} ${program} 2>&1`;

describe.skipIf(typeof parts === "string")(
  `a service that was given a control group${typeof parts === "string" ? `: ${parts}` : ""}`,
  () => {
    const results = new Map<string, unknown>();
    beforeAll(async () => {
      if (typeof parts === "string") return;
      const output = await runInMachine(parts, script);
      for (const [, text = ""] of output.matchAll(/^RESULT (.+?)\r?$/gm)) {
        const [name, outcome] = JSON.parse(text);
        results.set(name, outcome);
      }
      if (results.size === 0) throw new Error(`the machine said no result:\n${output.slice(-4_000)}`);
    }, maxLifeMs + 60_000);

    it("moves beside its instances, and has the kernel hold each of them to its limits", () => {
      expect(results.get("limits")).toEqual({
        enforcement: { memory: "cgroup", processor: "cgroup and watched", threads: "cgroup" },
        service: "/sys/fs/cgroup/service/aiplatform-service",
        held: {
          "memory.max": String((256 + 160) * 1_048_576),
          "memory.swap.max": "0",
          "memory.oom.group": "1",
          "pids.max": "512",
        },
      });
    });

    it("says of an instance that took too much memory at once that it did", () => {
      expect(results.get("memory")).toEqual({
        reason: "ResourcesUnavailable",
        detail: "The instance took more memory than the 256 MiB of memory_mb, and was ended.",
      });
    });

    it("does not blame an instance for the memory that all of them lack", () => {
      expect(results.get("memoryOfAll")).toEqual({ ended: [null, "SIGKILL"], memoryEnd: "machine" });
    });

    it("lets an instance have no more than 512 threads", () => {
      expect(results.get("threads")).toBe("refused");
    });

    it("keeps most of a busy processor for the service", () => {
      // By weight a quarter is for the instances together; by niceness alone, four programs would get more than half.
      expect(results.get("processor")).toBeLessThan(0.4);
      expect(results.get("processor")).toBeGreaterThan(0.1);
    });

    it("leaves no group when it is killed", () => {
      expect(results.get("killed")).toEqual({ before: 1, after: 0 });
    });
  },
);
