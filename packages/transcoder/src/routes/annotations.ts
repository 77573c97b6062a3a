import { http as httpOption } from "@aiplatform/contract/google/api/annotations";
import type { HttpRule } from "@aiplatform/contract/google/api/http";
import { type Route, RouteSchema, route as routeOption } from "@aiplatform/contract/transcoder/v1/route";
import { create, type DescMethod, type DescService, getOption, hasOption } from "@bufbuild/protobuf";
import { ContractError } from "../errors/contract-error.ts";
import { type PathTemplate, parseHttpPath, parseRoutePath } from "./path-template.ts";

/** A route of an RPC, as one of its annotations says it. */
export interface AnnotatedRoute {
  readonly route: Route;
  readonly template: PathTemplate;
}

/** Routes of an RPC: `transcoder.v1.route`, or without one `google.api.http` with its additional bindings. Empty: it has none. */
export function routesOf(method: DescMethod): AnnotatedRoute[] {
  if (hasOption(method, routeOption)) {
    const route = getOption(method, routeOption);
    return [{ route, template: templateOf(method, route.pattern.value, parseRoutePath) }];
  }
  if (!hasOption(method, httpOption)) return [];
  const rule = getOption(method, httpOption);
  return [rule, ...rule.additionalBindings].map((each) => {
    const route = routeOfRule(method, each);
    return { route, template: templateOf(method, route.pattern.value, parseHttpPath) };
  });
}

/** Paths at which the RPCs of services are reached over REST, as their annotations say them. */
export function routePaths(services: readonly DescService[]): string[] {
  return services.flatMap(({ methods }) => methods.flatMap(routesOf)).map(({ route }) => route.pattern.value ?? "");
}

function templateOf(
  method: DescMethod,
  path: string | undefined,
  parse: (path: string) => PathTemplate | undefined,
): PathTemplate {
  if (path === undefined) throw new ContractError("bad_path", rpcName(method), "has a route without a path");
  const template = parse(path);
  if (template === undefined) throw new ContractError("bad_path", rpcName(method), `cannot be reached at ${path}`);
  return template;
}

function routeOfRule(method: DescMethod, { pattern, body, responseBody }: HttpRule): Route {
  if (pattern.case === "custom") {
    throw new ContractError("bad_path", rpcName(method), `cannot be reached by ${pattern.value.kind}`);
  }
  return create(RouteSchema, { pattern, body, responseBody });
}

/** Full name of an RPC. */
export function rpcName(method: DescMethod): string {
  return `${method.parent.typeName}.${method.name}`;
}
