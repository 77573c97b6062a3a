import { mkdir } from "node:fs/promises";
import { join } from "node:path";

const version = "7.0.14";
const downloadServer = "https://fastdl.mongodb.org";
const answersWithinMs = 1_500;

/**
 * Fetches MongoDB's own binary through `mongodb-memory-server-core`, unless the download server does not answer a
 * short question first: behind a closed network the full download would hang for minutes.
 * Returns undefined when it is not available.
 */
export async function fetchOfficialMongod(cacheDirectory: string): Promise<string | undefined> {
  try {
    const server = process.env.MONGOMS_DOWNLOAD_MIRROR || downloadServer;
    await fetch(server, { method: "HEAD", signal: AbortSignal.timeout(answersWithinMs) });
    const downloadDir = join(cacheDirectory, `mongod-official-${version}`);
    await mkdir(downloadDir, { recursive: true });
    // Loaded only here: every other start can do without its hundred milliseconds.
    const { MongoBinary } = await import("mongodb-memory-server-core");
    return await MongoBinary.getPath({ version, downloadDir, checkMD5: true });
  } catch {
    return undefined;
  }
}
