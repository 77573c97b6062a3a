import { services } from "@aiplatform/contract/services";
import { list, route } from "@aiplatform/contract/transcoder/v1/route";
import { type DescMethod, getOption, hasOption } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";

/** Operations that answer several things and take no filter, and why. */
const withoutGrammar: ReadonlyMap<string, string> = new Map([
  ["DataDictionaryService.GetDataDictionary", "one resource, whose ETag is of all its entries"],
  ["QuotaService.ListQuotas", "one row for each quota of the platform"],
  ["RoleService.ListPermissions", "the platform's catalogue, the same for everyone"],
  ["ControlCommandService.ListControlCommands", "followed by its sequence, from a number on"],
  ["SessionService.ListSessions", "those that have not ended, of which a member or a key has 100 at most"],
  ["SignInService.ListSignInProviders", "those that the settings name, before anyone has signed in"],
  ["SearchService.Search", "found by words, in one order that all kinds share"],
  ["MediaService.ListMediaNames", "a summary: one row for each name, of which a job has 100 at most"],
  ["DatasetVersionService.ListDatasetRows", "takes both, over the columns of the version instead of declared fields"],
  ["DatasetEmbeddingService.ListDatasetVectors", "rows of one embedding, in their order; a search takes a filter"],
  ["LogLineService.ReadLogLines", "lines are stored in the batches of their reports, found by source and time"],
]);

const nameOf = ({ parent, name }: DescMethod) => `${parent.name}.${name}`;
const isRead = (method: DescMethod) => {
  if (method.methodKind !== "unary" || !hasOption(method, route)) return false;
  const { pattern, responseBody, nextCursor } = getOption(method, route);
  const body = method.output.fields.find(({ name }) => name === responseBody);
  return pattern.case === "get" && (nextCursor !== "" || body?.fieldKind === "list");
};
const lists = services.flatMap(({ methods }) => methods).filter(isRead);

describe("every operation of the contract that answers a list", () => {
  it.each(lists.map((method) => [nameOf(method), method] as const))(
    "takes a filter and an order, or has a reason to take none: %s",
    (name, { input }) => {
      expect(hasOption(input, list)).toBe(!withoutGrammar.has(name));
    },
  );

  it("is known by a name that the contract has", () => {
    expect([...withoutGrammar.keys()].filter((name) => !lists.some((method) => nameOf(method) === name))).toEqual([]);
  });
});
