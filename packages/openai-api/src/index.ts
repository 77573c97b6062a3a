export { ApiAnswerTooLargeError, ApiRefusedError, ApiUnavailableError } from "./errors.ts";
export { memberAt, parsedJson } from "./json-members.ts";
export { type Asking, OpenAiApi, type OpenAiApiOptions, type Question, type Retry } from "./openai-api.ts";
