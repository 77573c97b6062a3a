import { spawn } from "node:child_process";
import { openControlGroups } from "../src/control-groups/control-groups.ts";

// A process with a program in a control group, to be killed.
const groups = await openControlGroups();
if (groups.kind === "none") throw new Error(groups.reason);
const group = await groups.create("left", { memoryMb: 64 });
const { command, args } = group.commandWithin({ command: "/bin/sh", args: ["-c", "echo entered; exec sleep 600"] });
const child = spawn(command, [...args], { stdio: ["ignore", "pipe", "inherit"], detached: true });
child.stdout.once("data", () => {
  process.stdout.write(`${JSON.stringify({ directory: groups.directory, pid: String(child.pid) })}\n`);
});
