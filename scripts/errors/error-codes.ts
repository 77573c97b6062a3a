import { contentCodes } from "./codes/content.ts";
import { dataCodes } from "./codes/data.ts";
import { deploymentsCodes } from "./codes/deployments.ts";
import { identityCodes } from "./codes/identity.ts";
import { requestCodes } from "./codes/request.ts";
import { trainingCodes } from "./codes/training.ts";
import { unknownReasonCodes } from "./codes/unknown.ts";
import type { ErrorText } from "./error-text.ts";

/** Every reason of a refusal, as REST writes it; over gRPC it is the same word in capitals. */
export const errorCodes: Readonly<Record<string, ErrorText>> = {
  ...requestCodes,
  ...identityCodes,
  ...trainingCodes,
  ...contentCodes,
  ...deploymentsCodes,
  ...dataCodes,
  ...unknownReasonCodes,
};
