import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type InstanceGroups, openControlGroups } from "@aiplatform/serving-runtime";
import { eventually } from "@aiplatform/testkit";
import { containmentHere, DriverRig, isFailed } from "../driver-rig.ts";
import { instancesNaming } from "../processes-of.ts";

// Run in a machine with control groups of version 2, in a group that was given to its user. Prints what each attempt came to.
const root = "/sys/fs/cgroup";
const groupOf = (pid: number | "self") =>
  root + (/^0::(.*)$/m.exec(readFileSync(`/proc/${pid}/cgroup`, "utf8"))?.[1] ?? "");
const valueIn = (group: string, file: string) => readFileSync(join(group, file), "utf8").trim();
const good = "export default async () => 7;";
/** Instead of the runtime, which takes long to load where the processor is emulated. */
const idle = "setInterval(() => {}, 1_000)";
/** The longest time for anything there. */
const slowMs = 600_000;
const containment = await containmentHere();

async function groupsHere(): Promise<InstanceGroups> {
  const groups = await openControlGroups("required");
  if (groups.kind === "none") throw new Error(groups.reason);
  return groups;
}

/** What holds instances, where the service is then, and what the group of a running instance says. */
async function limits() {
  const commandOf = ({ directory }: { directory: string }) => ["-e", idle, directory];
  await using rig = await DriverRig.start(containment, { commandOf });
  const set = await rig.handler(good);
  const pid = await instanceOf(set.versionId, () => rig.driver.apply(set));
  const group = groupOf(pid);
  const files = ["memory.max", "memory.swap.max", "memory.oom.group", "pids.max"];
  const held = Object.fromEntries(files.map((file) => [file, valueIn(group, file)]));
  return { enforcement: rig.driver.enforcement, service: groupOf("self"), held };
}

/** The process of an instance, once it has become the program that it is to be. */
function instanceOf(versionId: string, start: () => Promise<void> = async () => {}): Promise<number> {
  const look = async () => {
    await start();
    return (await instancesNaming(versionId)).find((pid) => groupOf(pid).includes("aiplatform-instances."));
  };
  return eventually(look, "the instance", slowMs);
}

/** An instance that takes memory faster than anything could watch. */
async function memory() {
  const hog = "const all = []; for (;;) all.push(Buffer.alloc(20_000_000, 1));";
  await using rig = await DriverRig.start(containment, { commandOf: () => ["-e", hog] });
  const set = await rig.handler(good);
  await rig.driver.apply(set);
  const look = async () => (await rig.driver.observe(set)).find(isFailed);
  const { reason, detail } = await eventually(look, "its end", slowMs);
  return { reason, detail };
}

/** An instance within its own limit, where there is no more memory for all of them. */
async function memoryOfAll() {
  await using groups = await groupsHere();
  writeFileSync(join(groups.directory, "memory.max"), String(32 * 1_048_576));
  await using group = await groups.create("large", { memoryMb: 512 });
  const hog = "const all = []; for (;;) all.push(Buffer.alloc(20_000_000, 1));";
  const { command, args } = group.commandWithin({ command: process.execPath, args: ["-e", hog] });
  const ended = await once(spawn(command, [...args], { stdio: "ignore" }), "exit");
  return { ended, memoryEnd: await group.memoryEnd() };
}

/** A program that starts others without end. */
async function threads() {
  await using groups = await groupsHere();
  await using group = await groups.create("many", { memoryMb: 512 });
  // Without our pipes, which would otherwise stay open for as long as one of them runs.
  const script = "i=0; while [ $i -lt 600 ]; do sleep 600 >/dev/null 2>&1 & i=$((i+1)); done";
  const { command, args } = group.commandWithin({ command: "/bin/sh", args: ["-c", script] });
  const said = await promisify(execFile)(command, [...args], { timeout: slowMs }).then(
    () => "all were started",
    (error: unknown) => String(error),
  );
  return said.includes("fork") ? "refused" : said;
}

/** Share of the processor that four busy programs in two instances get beside one of the service. */
async function processor() {
  await using groups = await groupsHere();
  await using one = await groups.create("busy", { memoryMb: 256 });
  await using two = await groups.create("busy", { memoryMb: 256 });
  const busy = { command: "/bin/sh", args: ["-c", "while :; do :; done"] };
  const commands = [one, one, two, two].map((group) => group.commandWithin(busy));
  const children: ChildProcess[] = [...commands, busy].map(({ command, args }) => spawn(command, [...args]));
  const usedBy = (group: string) => Number(/^usage_usec (\d+)$/m.exec(valueIn(group, "cpu.stat"))?.[1]);
  const look = () => ({ instances: usedBy(groups.directory), service: usedBy(groupOf("self")) });
  await eventually(() => look().instances > 500_000, "the programs", slowMs);
  const before = look();
  const taken = () => [look().instances - before.instances, look().service - before.service] as const;
  await eventually(() => taken()[0] + taken()[1] > 2_000_000, "two seconds of processor time", slowMs);
  const [instances, service] = taken();
  for (const child of children) child.kill("SIGKILL");
  return instances / (instances + service);
}

/** What is left of a service that is killed, once its guard has seen that. */
async function killed() {
  await using rig = await DriverRig.start(containment, { controlGroups: "none" });
  const set = await rig.handler(good);
  const env = { ...process.env, HOME_OF_TEST: rig.home, INSTANCE_SET: JSON.stringify(set), STUBBORN: idle };
  const host = fileURLToPath(new URL("../driver-host.ts", import.meta.url));
  const parent = spawn(process.execPath, [host], { env, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: parent.stdout })) if (line === "started") break;
  await instanceOf(set.versionId);
  const base = join(groupOf("self"), "..");
  const left = () => readdirSync(base).filter((name) => name.startsWith("aiplatform-instances."));
  const before = left().length;
  parent.kill("SIGKILL");
  await once(parent, "exit");
  await eventually(() => left().length === 0, "the end of its guard", slowMs);
  return { before, after: left().length };
}

const attempts = { limits, memory, memoryOfAll, threads, processor, killed };
for (const [name, attempt] of Object.entries(attempts)) {
  const outcome = await attempt().catch((error: unknown) => ({ failed: String(error) }));
  process.stdout.write(`\nRESULT ${JSON.stringify([name, outcome])}\n`);
}
// Whatever an attempt that has failed has left open.
process.exit(0);
