import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cacheDirectory, runTool } from "@aiplatform/local-platform";

const version = "13.5.0";
/** Of the installation, and of one page on a busy machine, ms. */
const installMs = 600_000;
const pageMs = 180_000;

/** 0 to 100 each. */
export interface Scores {
  performance: number;
  accessibility: number;
  "best-practices": number;
}

const categories = ["performance", "accessibility", "best-practices"] as const;

/** The program of Lighthouse, 180 MB with what it needs: installed once into the cache, whole or not at all. */
export async function installLighthouse(): Promise<string> {
  const folder = join(cacheDirectory(), `lighthouse-${version}`);
  if (!existsSync(folder)) {
    await mkdir(dirname(folder), { recursive: true });
    const scratch = await mkdtemp(`${folder}.fetching-`);
    try {
      const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--prefix", scratch];
      const { ok, complaint } = await runTool("npm", ["install", ...flags, `lighthouse@${version}`], installMs);
      if (!ok) throw new Error(`npm could not install Lighthouse: ${complaint}`);
      await rename(scratch, folder);
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  }
  return join(folder, "node_modules", "lighthouse", "cli", "index.js");
}

interface Report {
  runtimeError?: { message: string };
  categories: Record<
    (typeof categories)[number],
    { score: number | null; auditRefs: { id: string; weight: number }[] }
  >;
  audits: Record<string, { title: string; score: number | null }>;
}

/** What Lighthouse says of a page of the browser at this debugging port, as a desktop sees it, and which audits failed. */
export async function audit(program: string, url: string, port: number): Promise<{ scores: Scores; failed: string[] }> {
  const flags = ["--preset=desktop", "--throttling-method=provided", "--disable-storage-reset", "--quiet"];
  const asked = [`--port=${port}`, `--only-categories=${categories.join()}`, "--max-wait-for-load=20000"];
  const args = [program, url, ...flags, ...asked, "--output=json", "--output-path=stdout"];
  const { ok, stdout, complaint } = await runTool(process.execPath, args, pageMs);
  if (!ok) throw new Error(`Lighthouse failed for ${url}: ${complaint}`);
  const report: Report = JSON.parse(stdout);
  if (report.runtimeError) throw new Error(`Lighthouse failed for ${url}: ${report.runtimeError.message}`);
  const scoreOf = (category: (typeof categories)[number]) => Math.round((report.categories[category].score ?? 0) * 100);
  const failed = (["accessibility", "best-practices"] as const)
    .flatMap((category) => report.categories[category].auditRefs)
    .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 1)
    .map(({ id }) => `${id}: ${report.audits[id]?.title}`);
  const [performance, accessibility, practices] = categories.map(scoreOf);
  const scores = { performance: performance ?? 0, accessibility: accessibility ?? 0, "best-practices": practices ?? 0 };
  return { scores, failed };
}
