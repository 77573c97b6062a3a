import type { ErrorText } from "./error-text.ts";

/** What is both a code and the type of an entry of a 422. */
export const sharedTexts = {
  cursor_invalid: { meaning: "The cursor does not belong to this list.", remedy: "Begin with the first page." },
  idempotency_key_reused: {
    meaning: "The key was used for another request, or by another credential.",
    remedy: "Use a new key for each new request.",
  },
  return_path_invalid: {
    meaning: "The page to show after signing in is none of the console's, or its path has more than 1,500 characters.",
    remedy: "Send a path inside the console, such as `/runs`, or leave `to` out.",
  },
  slug_not_confirmed: {
    meaning: "`confirm_slug` is not the slug of the organisation that would be deleted.",
    remedy:
      "Read the slug with `GET /platform/organisations/{organisation_id}`, and make sure that it is the one to delete.",
  },
  slug_like_id: { meaning: "The slug looks like a UUID.", remedy: "Use another slug." },
} as const satisfies Readonly<Record<string, ErrorText>>;
