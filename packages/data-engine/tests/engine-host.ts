// An engine in a process of its own, whose processes are at work; it says its directory and waits to be killed.
import { openTestEngine } from "./test-engine.ts";

const { engine, directory } = await openTestEngine();
const ask = (sql: string) => engine.query({ organisationId: "ada", views: {}, sql, limit: 1 });
await ask("SELECT 1");
ask("SELECT count(*) FROM range(1000000000000) a").catch(() => {});
process.stdout.write(`${directory}\n`);
