import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePorts, SupervisedProcess } from "@aiplatform/local-platform";
import type { Json } from "../mesh/rest.ts";
import { pythonWithPackages } from "./python-packages.ts";

const example = fileURLToPath(new URL("../../examples/jupyterhub/jupyterhub_config.py", import.meta.url));
const requirements = fileURLToPath(new URL("./requirements.txt", import.meta.url));
const proxy = createRequire(import.meta.url).resolve("configurable-http-proxy/bin/configurable-http-proxy");

/** A real JupyterHub with its proxy, of the example's configuration. */
export interface RunningHub {
  /** As JUPYTERHUB_URL. */
  url: string;
  /** As JUPYTERHUB_API_TOKEN. */
  apiToken: string;
  logFile: string;
  /** What kernels find in PLATFORM_URL: the hub is started before the platform. */
  setPlatformUrl(url: string): Promise<void>;
  /** Stops it and waits until everything that it started is gone. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts it in `directory`; users with a file `<name>.refused` there get no server. What is sent to its service `echo` goes to `echoUrl`. */
export async function startHub({ directory, echoUrl }: { directory: string; echoUrl: string }): Promise<RunningHub> {
  const { python, env } = await pythonWithPackages({ name: "jupyterhub", requirements });
  const [front = 0, internal = 0, proxyApi = 0] = await freePorts([0, 0, 0]);
  const apiToken = randomBytes(32).toString("hex");
  const url = `http://127.0.0.1:${front}/notebooks`;
  const config = join(directory, "jupyterhub_config.py");
  const platformUrlFile = join(directory, "platform-url");
  await mkdir(directory, { recursive: true });
  await writeFile(
    config,
    `import os
load_subconfig(${JSON.stringify(example)})
c.JupyterHub.services.append({"name": "echo", "url": ${JSON.stringify(echoUrl)}})

def refuse(spawner):
    if os.path.exists(os.path.join(${JSON.stringify(directory)}, spawner.user.name + ".refused")):
        raise RuntimeError("no room for another notebook")

c.Spawner.pre_spawn_hook = refuse

def platform_url(spawner):
    with open(${JSON.stringify(platformUrlFile)}) as file:
        return file.read()

c.Spawner.environment["PLATFORM_URL"] = platform_url
`,
  );
  const logFile = join(directory, "jupyterhub.log");
  const hub = new SupervisedProcess({
    name: "jupyterhub",
    command: python,
    args: ["-m", "jupyterhub", "--config", config],
    cwd: directory,
    logFile,
    env: {
      ...env,
      HUB_BIND_URL: `${url}/`,
      HUB_INTERNAL_URL: `http://127.0.0.1:${internal}`,
      HUB_PROXY_API_URL: `http://127.0.0.1:${proxyApi}`,
      HUB_PROXY_COMMAND: [process.execPath, proxy].join("\n"),
      HUB_HOMES: directory,
      PLATFORM_HUB_TOKEN: apiToken,
      PLATFORM_URL: "https://platform.example",
      JUPYTER_CONFIG_DIR: join(directory, "config"),
      JUPYTER_DATA_DIR: join(directory, "data"),
      JUPYTER_RUNTIME_DIR: join(directory, "runtime"),
      NODE_OPTIONS: undefined,
    },
    ready: async () => (await fetch(`${url}/hub/api/`, { signal: AbortSignal.timeout(2_000) })).ok,
    graceMs: 20_000,
    log: () => {},
  });
  await hub.start();
  const setPlatformUrl = (platformUrl: string) => writeFile(platformUrlFile, platformUrl);
  return { url, apiToken, logFile, setPlatformUrl, stop: () => hub.stop(), start: () => hub.start() };
}

/** Asks the hub itself, as identity does. */
export async function askHub({ url, apiToken }: RunningHub, path: string): Promise<Json> {
  const response = await fetch(`${url}/hub/api/${path}`, { headers: { authorization: `token ${apiToken}` } });
  return response.json();
}
