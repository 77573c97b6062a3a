// docs/errors.md: every code that a caller can get, from what the sources raise and the texts beside this file.
import { join } from "node:path";
import { ErrorInfoSchema } from "@aiplatform/contract/google/rpc/error_details";
import { services } from "@aiplatform/contract/services";
import { route } from "@aiplatform/contract/transcoder/v1/route";
import { statusTable, toHttpError } from "@aiplatform/transcoder";
import { getOption } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { table } from "../generate/markdown.ts";
import { errorCodes } from "./error-codes.ts";
import { problemTypes } from "./problem-types.ts";
import { type RaisedCode, type RaisedReason, type RaisedType, raisedCodes } from "./raised-codes.ts";

const codesByName = new Map(Object.entries(Code));

const answers = services.flatMap(({ methods }) => methods).flatMap((method) => getOption(method, route).answers);
const statusOfReason = new Map(
  answers.flatMap(({ reason, status }): [string, number][] => (reason === "" ? [] : [[reason, status]])),
);

/** The HTTP status of an RPC's failure. */
function statusOf({ grpc, reason }: RaisedReason): number {
  const details = [{ desc: ErrorInfoSchema, value: { reason, domain: "" } }];
  const code = codesByName.get(grpc);
  const error = new ConnectError("", typeof code === "number" ? code : undefined, undefined, details);
  return toHttpError(error, { statusOfReason }).status;
}

/** Packages whose errors come from more than one service. */
const ownersOf: Readonly<Record<string, string>> = {
  "caller-identity": "every service",
  "service-host": "every service",
  "service-kit": "every service with a database",
  transcoder: "gateway",
  "worker-pool": "content, deployments",
};
const grpcName = (name: string) => name.replaceAll(/(?<=[a-z])[A-Z]/g, "_$&").toUpperCase();
const list = (values: readonly (string | number)[]) => [...new Set(values)].filter(Boolean).sort().join(", ");
const raisers = (each: readonly { readonly owner: string }[]) => {
  const owners = each.map(({ owner }) => ownersOf[owner] ?? owner);
  return owners.includes("every service") ? "every service" : list(owners);
};

function codeRows(reasons: readonly RaisedReason[], codes: readonly RaisedCode[]): string[][] {
  const fallbacks = Object.entries(statusTable).map(([grpc, row]) => ({ ...row, grpc: Code[Number(grpc)] ?? "" }));
  return Object.entries(errorCodes).map(([code, { meaning, remedy }]) => {
    const ofReason = reasons.filter(({ reason }) => reason.toLowerCase() === code);
    const ofHttp = codes.filter((each) => each.code === code);
    const known = ofReason.length + ofHttp.length > 0;
    const ofFallback = fallbacks.filter((each) => each.code === code);
    const status = list([...ofReason.map(statusOf), ...[...ofHttp, ...ofFallback].map((each) => each.status)]);
    const grpc = list([...ofReason, ...ofFallback].map((each) => `\`${grpcName(each.grpc)}\``));
    const by = known ? raisers([...ofReason, ...ofHttp]) : "every service";
    return [`\`${code}\``, status, grpc, by, meaning, remedy];
  });
}

const typeRows = (texts: (typeof problemTypes)[keyof typeof problemTypes], types: readonly RaisedType[]) =>
  Object.entries(texts).map(([type, { meaning, remedy, by: known }]) => {
    const by = known ?? raisers(types.filter((each) => each.type === type));
    return [`\`${type}\``, by, meaning, remedy] as const;
  });

/** Path and text of the page. */
export function errorPage(): [path: string, text: string] {
  const { reasons, codes, types } = raisedCodes();
  const composed = Object.entries(errorCodes).flatMap(([code, { raised }]) =>
    raised === undefined ? [] : [{ reason: code.toUpperCase(), grpc: raised.grpc, owner: raised.by }],
  );
  const allReasons = [...reasons, ...composed];
  const { ofValues, ofRules } = problemTypes;
  const refused = allReasons.filter(({ grpc }) => grpc === "InvalidArgument");
  const fieldTypes = [...types, ...refused.map(({ reason, owner }) => ({ type: reason.toLowerCase(), owner }))];
  const text = `# Errors

Generated from the sources and from \`scripts/errors\`. An error answer looks like this:

| where | form |
| --- | --- |
| REST, 422 | \`{"detail":[{"type","loc","msg","input","ctx"}]}\`: one entry for each problem, see [types of 422](#types-of-422) |
| REST, 404 | \`{"detail":"Not found"}\`. With \`Accept: application/problem+json\` also the \`code\` |
| REST, all others | \`{"detail":"text","code":"slug"}\`: the text is for people and may change, the code is for programs and stays |
| gRPC, Connect | a status code, and \`google.rpc.ErrorInfo\` with domain \`aiplatform\` and the code in capitals as \`reason\`; where no code says more, the name of the status code, such as \`NOT_FOUND\`. Field errors are in \`google.rpc.BadRequest\` |

Every answer has an \`X-Request-Id\`. Give it to the operator: all log lines of the request have it.

## Codes

"(trainer)" marks errors that only a trainer gets. An empty gRPC column: the gateway answers it before or without an RPC.

${table(["code", "HTTP", "gRPC", "raised by", "meaning", "remedy"], codeRows(allReasons, codes))}

## Types of 422

\`loc\` is the place of the problem, such as \`["body","name"]\`. [Which problems](api/README.md#what-a-422-lists) are answered together depends on the operation.

### Values

${table(
  ["type", "meaning", "remedy"],
  typeRows(ofValues, types).map(([type, , ...more]) => [type, ...more]),
)}

### Rules of the platform

${table(["type", "raised by", "meaning", "remedy"], typeRows(ofRules, fieldTypes))}

## Reasons inside answers

Some answers with status 200 or 201 say why something did not succeed:

| place | reasons |
| --- | --- |
| \`detail\` of a rejected training command | [training commands](api/training-commands.md#rules) |
| \`rollout_error\` of a deployment | [deployments](api/deployments.md#when-something-fails) |
| \`error\` of a linked account | [linked accounts](api/linked-accounts.md#the-page-after-the-sign-in) |
| \`error\` of an e-mail delivery | [e-mail drafts](api/email-drafts.md#when-something-fails) |
| \`error\` of an automation run or step | [automation runs](api/automation-runs.md#runs) |
| \`error\` of a prediction | [predictions](api/predictions.md#errors) |
`;
  return [join("docs", "errors.md"), text];
}
