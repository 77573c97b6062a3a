import { existsSync } from "node:fs";
import sparticuz from "@sparticuz/chromium";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { workerResources } from "./worker-resources.ts";

/** Where installations put Chromium or a browser that is made of it. */
const installed = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/** The sandbox of a container or of root does not allow Chromium's own. Pages of this repository alone are opened. */
const args = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"];

/** The program: `CHROMIUM`, an installed one, or on Linux with x86-64 the one that the packages bring. */
async function executablePath(): Promise<string> {
  const found = process.env["CHROMIUM"] ?? installed.find((path) => existsSync(path));
  if (found !== undefined) return found;
  if (process.platform === "linux" && process.arch === "x64") return await sparticuz.executablePath();
  throw new Error("There is no Chromium. Install Chromium or Google Chrome, or name one in CHROMIUM.");
}

/** Starts Chromium without a window. @throws Error that says what to do where none can be started */
export function launchChromium(): Promise<Browser> {
  return start((executablePath) => chromium.launch({ executablePath, args, headless: true }));
}

/** Starts the Chromium that the packages bring, whatever else is there: pictures of another would differ. */
export async function launchPackagedChromium(): Promise<Browser> {
  const executablePath = await sparticuz.executablePath();
  return chromium.launch({ executablePath, args, headless: true });
}

let ofWorker: Promise<Browser> | undefined;

/** The Chromium that files of a worker share: starting one takes seconds. Each page gets a profile of its own. */
export function workerChromium(): Promise<Browser> {
  ofWorker ??= launchChromium().then((browser) => {
    workerResources.defer(() => browser.close());
    return browser;
  });
  return ofWorker;
}

/**
 * Starts Chromium with one profile, kept in a folder, so that a program that comes by its debugging port is signed in as its pages are.
 * The port is in the folder's `DevToolsActivePort`. @throws Error that says what to do where none can be started
 */
export function launchProfile(folder: string): Promise<BrowserContext> {
  const open = [...args, "--remote-debugging-port=0"];
  return start((executablePath) =>
    chromium.launchPersistentContext(folder, { executablePath, args: open, headless: true }),
  );
}

async function start<T>(launch: (path: string) => Promise<T>): Promise<T> {
  const path = await executablePath();
  try {
    return await launch(path);
  } catch (error) {
    const remedy = "Install the libraries that it needs, or name another Chromium in CHROMIUM.";
    throw new Error(`Chromium at ${path} does not start. ${remedy}`, { cause: error });
  }
}
