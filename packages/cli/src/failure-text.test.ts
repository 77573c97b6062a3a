import { PlatformError, PlatformUnreachableError } from "@aiplatform/client";
import { describe, expect, it } from "vitest";
import { failureText } from "./failure-text.ts";

const answered = (status: number, body: unknown) =>
  new PlatformError(new Response(null, { status, headers: { "x-request-id": "r1" } }), body);

describe("a failure, for people", () => {
  it("names each field as the command line spells it, its rule, and the remedy", () => {
    const detail = [
      { loc: ["body", "permission_ids", 0], type: "enum", msg: "Input should be a permission" },
      { loc: ["path", "role_id"], type: "uuid_parsing", msg: "Input should be a valid UUID" },
      { loc: ["body", 3, "name"], type: "missing", msg: "Field required" },
    ];
    expect(
      failureText(answered(422, { detail })),
    ).toBe(`3 fields break their rules (422, request r1): field, rule, remedy
  --permission-ids.0  enum          Input should be a permission
  <role_id>           uuid_parsing  Input should be a valid UUID
  body.3.name         missing       Field required
`);
  });

  it("tells a remedy where there is one", () => {
    const denied = answered(403, { detail: "roles:manage is needed", code: "permission_denied" });
    expect(failureText(denied)).toBe(`roles:manage is needed (403, permission_denied, request r1)
  remedy: platformctl whoami says what the credential may do
`);
    expect(failureText(new PlatformUnreachableError("http://x.example/a", new Error("refused")))).toContain(
      "remedy: --url",
    );
  });
});
