export type { Check, Finding, Look } from "./check.ts";
export { type DoctorProcess, doctor } from "./doctor.ts";
export { type Examination, type ExamineOptions, examine } from "./examine.ts";
export { isHealthy, reportText } from "./report.ts";
export { kindOf, type ServiceEnvironment, type ServiceKind } from "./services.ts";
