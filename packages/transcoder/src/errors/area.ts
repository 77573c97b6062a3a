import { type Answer, type Area, type AreaAbsence, area as areaOption } from "@aiplatform/contract/transcoder/v1/route";
import { type DescService, getOption, hasOption } from "@bufbuild/protobuf";
import { ContractError } from "./contract-error.ts";
import { HttpError } from "./http-error.ts";
import type { Problem } from "./problem-list.ts";

/** A part of the API whose failures have a form of their own. */
export type { Area };

const areaPath = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/** The areas that services declare. Throws {@link ContractError}. */
export function areasOf(services: readonly DescService[]): readonly Area[] {
  return services.flatMap((service) => {
    if (!hasOption(service, areaOption)) return [];
    const area = getOption(service, areaOption);
    if (!areaPath.test(area.path) || area.codeMember === "" || area.messageMember === "") {
      throw new ContractError(
        "bad_area",
        service.typeName,
        "has an area without a path, a code_member or a message_member",
      );
    }
    return [area];
  });
}

/** The area that a path lies in. */
export function areaOfPath(areas: readonly Area[], path: string): Area | undefined {
  return areas.find((area) => isBelow(path, area.path));
}

function isBelow(path: string, beginning: string): boolean {
  return path === beginning || path.startsWith(`${beginning}/`);
}

/** What is answered where an area has no operation. */
export function absenceIn(area: Area, path: string): HttpError {
  const rest = path.slice(area.path.length);
  const absence = area.absences.find((candidate: AreaAbsence) => rest.startsWith(candidate.path));
  return new HttpError(404, absence?.message ?? "No operation has this path", "endpoint_not_found");
}

/** Where something is not there, what that is, as the operation declares: clients of an area show nothing else. */
export function namingResource(
  failure: HttpError,
  answers: readonly Pick<Answer, "status" | "description">[],
): HttpError {
  if (failure.status !== 404 || failure.code !== "not_found") return failure;
  const declared = answers.find(({ status }) => status === 404);
  return declared ? new HttpError(404, declared.description, failure.code, failure.headers) : failure;
}

/** A failure as clients of an area read it. */
export function renderInArea(area: Area, failure: HttpError): string {
  const { status, code, detail, problems = [] } = failure;
  const row = area.codes.find(
    (candidate) =>
      (candidate.status === 0 || candidate.status === status) &&
      (candidate.reason === "" || candidate.reason.toLowerCase() === code),
  );
  const message = problems.length === 0 ? detail : problems.slice(0, maxSentences).map(sentenceOf).join("; ");
  return JSON.stringify({ [area.codeMember]: row?.code ?? code.toUpperCase(), [area.messageMember]: message });
}

/** Problems that a message names: it is read by people. */
const maxSentences = 10;

/** Without the place's first part: clients of an area know arguments, and not where a request has them. */
function sentenceOf({ loc, msg }: Problem): string {
  const [, ...names] = loc;
  const said = msg.replace(/^Value error, /, "");
  return names.length === 0 ? said : `${names.join(".")}: ${said}`;
}
