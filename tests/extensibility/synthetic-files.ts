/** What a developer who adds an operation writes: path in the repository → text. No path is the gateway's. */
export const syntheticFiles: Readonly<Record<string, string>> = {
  "proto/aiplatform/identity/v1/greetings.proto": `syntax = "proto3";

package aiplatform.identity.v1;

import "aiplatform/access/v1/access.proto";
import "buf/validate/validate.proto";
import "transcoder/v1/route.proto";

// Greetings: what is said to whom.
service GreetingService {
  option (transcoder.v1.tag) = "greetings";

  // Greets a person.
  rpc Greet(GreetRequest) returns (GreetResponse) {
    option (aiplatform.access.v1.access) = {
      permission: "greetings:send"
      unrecorded: "nothing is kept"
    };
    option (transcoder.v1.route) = {
      post: "/platform/greetings/{language}"
      body: "*"
      response_body: "greeting"
      status: 201
    };
  }
}

// Whom to greet.
message GreetRequest {
  // A language's code.
  string language = 1 [(buf.validate.field).string.pattern = "^[a-z]{2}$"];
  // Whom.
  optional string name = 2 [
    (buf.validate.field).required = true,
    (buf.validate.field).string = {
      min_len: 1
      max_len: 20
    }
  ];
  // How often.
  int32 times = 3 [
    (transcoder.v1.json).default = "1",
    (buf.validate.field).int32 = {
      gte: 0
      lte: 3
    }
  ];
}

// What was said.
message GreetResponse {
  // The greeting.
  Greeting greeting = 1;
}

// A greeting.
message Greeting {
  // Its words.
  repeated string words = 1;
  // Who greets.
  string organisation_id = 2;
}
`,
  "proto/aiplatform/identity/v1/greetings.examples.json": JSON.stringify({
    "GreetingService.Greet": {
      request: { language: "it", name: "Ada", times: 1 },
      response: { words: ["ciao Ada"], organisation_id: "019c6b7e-d901-79ff-a220-a47ff8fc99a8" },
    },
  }),
  "services/identity/src/greetings/greeting-rpc.ts": `import { callerOf } from "@aiplatform/caller-identity";
import { GreetingService } from "@aiplatform/contract/aiplatform/identity/v1/greetings";
import type { ConnectRouter } from "@connectrpc/connect";

export function greetingRoutes(router: ConnectRouter): void {
  router.service(GreetingService, {
    greet({ language, name, times }, context) {
      const words = Array.from({ length: times || 1 }, () => (language === "it" ? "ciao " : "hello ") + name);
      return { greeting: { words, organisationId: callerOf(context).organisationId } };
    },
  });
}
`,
};

/** Where the service learns of it: path → what stands there, and what shall. */
export const syntheticEdits: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  "services/identity/src/identity-service.ts": [
    ["    roleRoutes(router, dependencies);\n", "    roleRoutes(router, dependencies);\n    greetingRoutes(router);\n"],
    [
      'import { memberRoutes } from "./members/member-rpc.ts";\n',
      'import { greetingRoutes } from "./greetings/greeting-rpc.ts";\nimport { memberRoutes } from "./members/member-rpc.ts";\n',
    ],
  ],
};

/** A program that uses the generated client, in types that only the synthetic operation gives it. */
export const typedProgram = `import { answerOf, createPlatformClient } from "@aiplatform/client";

const { PLATFORM_URL: baseUrl = "", PLATFORM_API_KEY: credential = "" } = process.env;
const client = createPlatformClient({ baseUrl, credential });
const path = { language: "it" };
const greeting = answerOf(await client.POST("/platform/greetings/{language}", { params: { path }, body: { name: "Ada", times: 2 } }));
const words: string[] = greeting.words;
// @ts-expect-error times is a number
const wrong = () => client.POST("/platform/greetings/{language}", { params: { path }, body: { name: "Ada", times: "2" } });
console.log(JSON.stringify([words, typeof wrong]));
`;
