import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { containerPaths } from "./container/container-paths.ts";
import { fetchFiles } from "./container/fetch-files.ts";
import { parseFileList } from "./container/file-list.ts";
import { containerCommand } from "./container/serve.ts";

interface Task {
  run: () => Promise<void>;
  /** What its failure means for a rollout. */
  failure: string;
}

/** What the image's entrypoint can be told to do. */
const tasks: Readonly<Record<string, Task>> = {
  /** Brings the version's files into the pod, and ends. */
  fetch: {
    failure: "ArtifactMissing",
    run: async () => {
      const list = parseFileList(await readFile(join(containerPaths.settings, "files.json"), "utf8"));
      const token = await readFile(join(containerPaths.settings, "token"), "utf8");
      const authority = join(containerPaths.filesAuthority, "ca.crt");
      const ca = existsSync(authority) ? await readFile(authority, "utf8") : undefined;
      await fetchFiles({ list, directory: containerPaths.directory, token, ca });
    },
  },
  /** Becomes the runtime: this process is replaced, so that the runtime has its number and gets its signals. */
  serve: {
    failure: "InvalidBundle",
    run: async () => {
      const { args, env } = containerCommand(process.env);
      process.execve?.(process.execPath, [process.execPath, ...args], env);
    },
  },
};

const task = tasks[process.argv[2] ?? ""];
if (!task) {
  process.stderr.write("the image's argument must be fetch or serve\n");
  process.exit(2);
}
try {
  await task.run();
} catch (error) {
  // The last line of a container that failed is what the cluster keeps of it.
  const detail = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${JSON.stringify({ reason: task.failure, detail })}\n`);
  process.exit(1);
}
