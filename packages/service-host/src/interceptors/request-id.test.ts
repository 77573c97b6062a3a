import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { callingServiceInterceptor, ServiceAssertions } from "@aiplatform/caller-identity";
import { RoleService } from "@aiplatform/contract/aiplatform/identity/v1/roles";
import { keepServiceKeys, ServiceKeys } from "@aiplatform/service-keys";
import { createClient, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import { context } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contextOfCall, currentCause } from "../current-call.ts";
import { assertionInterceptor } from "../mesh/assertion.ts";
import { forwardingInterceptor } from "../mesh/forwarding.ts";
import type { RequestIdSource } from "../request-name.ts";
import { requestIdInterceptor } from "./request-id.ts";

const directory = mkdtempSync(join(tmpdir(), "request-id-"));
const keysOf = keepServiceKeys(directory);
const assertionsOf = (service: string) =>
  new ServiceAssertions(new ServiceKeys(keysOf(service), { service }), () => new Date());

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** What a service that is called like this says of the request that caused its events. */
async function causeOf(headers: Record<string, string>, ...calling: Interceptor[]) {
  const causes: ReturnType<typeof currentCause>[] = [];
  const trust = { assertions: assertionsOf("identity"), acceptsMissing: false };
  const interceptors = [requestIdInterceptor(() => "made-here"), callingServiceInterceptor(trust)];
  const transport = createRouterTransport(
    (router) =>
      router.service(RoleService, {
        listRoles() {
          causes.push(currentCause());
          return {};
        },
      }),
    { router: { interceptors }, transport: { interceptors: calling } },
  );
  await createClient(RoleService, transport).listRoles({}, { headers });
  return causes;
}

describe("the source of a request id", () => {
  const asTraining = assertionInterceptor(assertionsOf("training"));
  const [offered, forged] = [{ "x-request-id": "theirs" }, { "x-request-id": "not\tone" }];
  const saying = (source: string) => ({ "x-request-id-source": source });

  it.each([
    ["platform, where none was sent", {}, [], "made-here", "platform"],
    ["platform, where what was sent is no request id", forged, [], "made-here", "platform"],
    ["caller, where one was sent", offered, [], "theirs", "caller"],
    [
      "caller, where one who is no service says platform",
      { ...offered, ...saying("platform") },
      [],
      "theirs",
      "caller",
    ],
    ["platform, where a service says so", { ...offered, ...saying("platform") }, [asTraining], "theirs", "platform"],
    ["caller, where a service says so", { ...offered, ...saying("caller") }, [asTraining], "theirs", "caller"],
    ["caller, where a service says nothing", offered, [asTraining], "theirs", "caller"],
  ] as const)("is %s", async (_title, headers, calling, requestId, requestIdSource) => {
    expect(await causeOf(headers, ...calling)).toEqual([{ requestId, requestIdSource }]);
  });

  it.each(["platform", "caller"] as const)("%s is kept by the calls that a service makes meanwhile", async (source) => {
    const call = { requestId: "first", requestIdSource: (): RequestIdSource => source, caller: () => undefined };
    const causes = await context.with(contextOfCall(context.active(), call), () =>
      causeOf({}, forwardingInterceptor(), asTraining),
    );
    expect(causes).toEqual([{ requestId: "first", requestIdSource: source }]);
  });
});
