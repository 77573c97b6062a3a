import { randomUUID } from "node:crypto";
import type { LocalPlatform } from "@aiplatform/local-platform";
import { tableFromIPC } from "@uwdata/flechette";
import { beforeAll, describe, expect, it } from "vitest";
import { sharedPlatform } from "../infra/shared-platform.ts";
import { ask, type Json } from "../mesh/rest.ts";
import { runPython, whyNoPython } from "../python-sdk/sdk-python.ts";
import { DatasetFiles } from "./dataset-files.ts";

let platform: LocalPlatform["description"];
sharedPlatform(({ description }) => {
  platform = description;
});
const data = new DatasetFiles(() => platform);
const arrow = "application/vnd.apache.arrow.stream";
const orders = "id,price,day,at\n9007199254740993,10.5,2026-03-01,2026-03-01T09:00:00.123457Z\n2,,2026-03-02,\n3,7,,\n";

let id: string;
let rows: string;
let version: Json;
beforeAll(async () => {
  const dataset = await data.dataset(`Arrow ${randomUUID()}`);
  version = await data.ready(dataset.versions, orders, { name: "orders.csv" });
  id = dataset.id;
  rows = `${dataset.versions}/${version.id}/rows`;
});

/** A request that prefers Arrow. */
function request(path: string, body?: Json, accept = arrow) {
  const headers = { accept, authorization: `Bearer ${platform.bearer}`, "content-type": "application/json" };
  return fetch(`${platform.gateway}${path}`, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
}
const tableOf = async (answer: Response) =>
  tableFromIPC(await answer.arrayBuffer(), { useBigInt: true, useBigIntTimestamp: true });

describe("rows of a version for a client that prefers Arrow", () => {
  it("have the types of their columns, and the next page in Link", async () => {
    const answer = await request(`${rows}?limit=2`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, arrow]);
    expect(answer.headers.get("vary")).toMatch(/\bAccept\b/);
    const micros = BigInt(Date.UTC(2026, 2, 1, 9)) * 1_000n + 123_457n;
    expect((await tableOf(answer)).toArray()).toEqual([
      { id: 9_007_199_254_740_993n, price: 10.5, day: Date.UTC(2026, 2, 1), at: micros },
      { id: 2n, price: null, day: Date.UTC(2026, 2, 2), at: null },
    ]);
    const next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1] ?? "";
    const last = await request(next);
    expect([last.headers.get("link"), (await tableOf(last)).toArray()]).toEqual([
      null,
      [{ id: 3n, price: 7, day: null, at: null }],
    ]);
  });

  it("are filtered, projected, ordered and sampled as in JSON", async () => {
    for (const query of ["?filter=price%3A*&columns=id&order_by=price", "?sample=2&seed=5&columns=id"]) {
      const { body } = await ask(platform, { path: `${rows}${query}` });
      const ids = (await tableOf(await request(`${rows}${query}`))).toArray().map(({ id }) => String(id));
      expect(ids).toEqual(body.map((row: Json) => String(row.id)));
    }
  });

  it("are JSON for a client that takes both alike, and a refusal always is", async () => {
    for (const [path, accept, status] of [
      [rows, `${arrow}, application/json`, 200],
      [rows, "*/*", 200],
      [`${rows}?columns=colour`, arrow, 422],
      [rows.replace(version.id, randomUUID()), arrow, 404],
    ] as const) {
      const answer = await request(path, undefined, accept);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([status, "application/json"]);
    }
  });
});

describe("what a query answers to a client that prefers Arrow", () => {
  const query = (sql: string, limit = 100) =>
    request("/platform/datasets/query", {
      views: [{ name: "orders", dataset_id: id, version_id: version.id }],
      sql,
      limit,
    });

  it("says in its schema whether more rows follow", async () => {
    const [some, all] = [
      await query("SELECT id FROM orders ORDER BY id", 1),
      await query("SELECT max(day) AS d FROM orders"),
    ];
    const table = await tableOf(some);
    expect([table.toArray(), table.schema.metadata?.get("has_more")]).toEqual([[{ id: 2n }], "true"]);
    expect((await tableOf(all)).schema.metadata?.get("has_more")).toBe("false");
  });
});

const reason = await whyNoPython();
describe.skipIf(reason)(`pyarrow${reason ? `: ${reason}` : ""}`, () => {
  it("reads the rows as they are, with nothing but a request", async () => {
    const script = [
      "import sys, json, urllib.request, pyarrow as pa",
      `request = urllib.request.Request(sys.argv[1], headers={"Accept": "${arrow}", "Authorization": "Bearer " + sys.argv[2]})`,
      "table = pa.ipc.open_stream(urllib.request.urlopen(request)).read_all()",
      "table.validate(full=True)",
      "rows = [[str(value) for value in row.values()] for row in table.to_pylist()]",
      'print(json.dumps({"types": [str(field.type) for field in table.schema], "rows": rows}))',
    ];
    const { code, output } = await runPython(["-c", script.join("\n"), `${platform.gateway}${rows}`, platform.bearer]);
    expect(code, output).toBe(0);
    expect(JSON.parse(output)).toEqual({
      types: ["int64", "double", "date32[day]", "timestamp[us, tz=UTC]"],
      rows: [
        ["9007199254740993", "10.5", "2026-03-01", "2026-03-01 09:00:00.123457+00:00"],
        ["2", "None", "2026-03-02", "None"],
        ["3", "7.0", "None", "None"],
      ],
    });
  });

  it.each([
    ["a file", "pa.ipc.new_file(out, table.schema)"],
    ["a stream", "pa.ipc.new_stream(out, table.schema)"],
    [
      "compressed record batches",
      'pa.ipc.new_file(out, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd"))',
    ],
  ])("writes %s of which a version is made", async (_, writer) => {
    const script = [
      "import sys, base64, datetime, decimal, pyarrow as pa",
      'table = pa.table({"word": pa.array(["b", None, "b"]).dictionary_encode(), "money": [decimal.Decimal("1.10"), None, None],',
      '  "at": pa.array([datetime.datetime(2026, 3, 2, 9, 30), None, None], pa.timestamp("us", "Europe/Oslo")),',
      '  "view": pa.array(["x" * 20, None, "y"], pa.string_view()), "list": [[1, None], [], None]})',
      "out = pa.BufferOutputStream()",
      `with ${writer} as sink: sink.write_table(table, max_chunksize=2)`,
      "print(base64.b64encode(out.getvalue().to_pybytes()).decode())",
    ];
    const { code, output } = await runPython(["-c", script.join("\n")]);
    expect(code, output).toBe(0);
    const { versions } = await data.dataset(`From pyarrow ${randomUUID()}`);
    const made = await data.ready(versions, Buffer.from(output, "base64"), { name: "made.arrow", format: "arrow" });
    expect(made).toMatchObject({ state: "ready", row_count: 3, problem: null });
    const { body } = await ask(platform, { path: `${versions}/${made.id}/rows` });
    expect(body).toEqual([
      { word: "b", money: "1.10", at: "2026-03-02T09:30:00Z", view: "x".repeat(20), list: [1, null] },
      { word: null, money: null, at: null, view: null, list: [] },
      { word: "b", money: null, at: null, view: "y", list: null },
    ]);
  });
});

describe("an Arrow file that is cut", () => {
  it("fails its version with what to do", async () => {
    const { versions } = await data.dataset(`Cut ${randomUUID()}`);
    const failed = await data.ready(versions, "ARROW1\0\0", { name: "cut.arrow", format: "arrow" });
    expect(failed).toMatchObject({ state: "failed", problem: { file: "cut.arrow", rule: "damaged" } });
    expect(failed.problem.remedy).toBe("Write the file again and upload all of it.");
  });
});
