import { quotaErrors } from "@aiplatform/quotas";
import type { ErrorClass, ErrorEntry, ErrorTable } from "@aiplatform/service-host";

/** What callers see of our failures. A class that is missing here becomes Internal, without its message. */
export const dataErrors: ErrorTable = new Map<ErrorClass, ErrorEntry>([...quotaErrors]);
