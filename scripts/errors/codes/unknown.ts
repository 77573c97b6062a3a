import { askForPermission, type ErrorText, newCredential, retry } from "../error-text.ts";

/** What an answer says where the reason is unknown. */
export const unknownReasonCodes: Readonly<Record<string, ErrorText>> = {
  already_exists: { meaning: "It exists already.", remedy: "Use another name." },
  failed_precondition: { meaning: "The current state forbids it.", remedy: "Read `detail`." },
  aborted: { meaning: "Another request was faster.", remedy: "Send it again." },
  resource_exhausted: { meaning: "A limit is reached.", remedy: retry },
  permission_denied: { meaning: "The caller may not do this.", remedy: askForPermission },
  unauthenticated: { meaning: "The credential is not accepted.", remedy: newCredential },
};
