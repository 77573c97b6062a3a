/** A target that some readers take for another. */
export interface PathRow {
  readonly target: string;
  readonly status: number;
  /** Whether the connection ends with the answer, because the target is no target. */
  readonly closes?: boolean;
}

const roles = "/platform/roles";
const rpc = "/aiplatform.training.v1.RunService";
const nowhere = (targets: readonly string[], status = 404): PathRow[] => targets.map((target) => ({ target, status }));
const malformed = (targets: readonly string[]): PathRow[] =>
  targets.map((target) => ({ target, status: 400, closes: true }));

/** Asked for with GET by a caller who may read roles. `predictions` is the path of a deployment's predictions. */
export function pathRows(o: { predictions: string; runMetrics: string }): PathRow[] {
  return [
    ...nowhere([roles, `${roles}/`, `${roles}?`], 200),
    ...nowhere([`${roles}?x=%00&y=%zz&=&&a[]=1`, `${roles}?/../x`], 422),
    ...nowhere([
      `${roles}//`,
      "/platform%2froles",
      "/platform%2Froles",
      "/platform%252froles",
      "/platform%5croles",
      "/platform\\roles",
      "/platform//roles",
      "//platform/roles",
      "/./platform/roles",
      "/platform/./roles",
      "/platform/../platform/roles",
      "/x/../platform/roles",
      "/x/%2e%2e/platform/roles",
      "/platform/%2e/roles",
      "/platform/roles;x=1",
      "/platform;x/roles",
      "/platform/roles%00",
      "/platform/roles%20",
      "/platform/roles%0d%0aX:y",
      "/platform/role%73",
      "/Platform/roles",
      "/platform/ROLES",
      "/platform/%c0%af/roles",
      "/platform/%ff",
      "/%",
      "/%zz",
      "/docs/../openapi.json",
      "/docs/..%2fpackage.json",
      "/docs/%2e%2e/package.json",
      "/docs/swagger-ui.css%00",
      "/",
      "*",
    ]),
    ...nowhere([
      `${rpc}/../RunService/GetRun`,
      `${rpc}/GetRun/`,
      `${rpc}/GetRun/..`,
      `${rpc}/%47etRun`,
      `${rpc}//GetRun`,
    ]),
    ...nowhere([
      `${rpc}/GetRun;x`,
      `${rpc}%2fGetRun`,
      `/x/..${rpc}/GetRun`,
      "/aiplatform.identity.v1.CredentialService/X",
    ]),
    ...nowhere([
      "/notebooks/..",
      "/notebooks/../platform/roles",
      "/notebooks/%2e%2e/platform/roles",
      "/notebooks/..%2fplatform",
      "/notebooks/..;/x",
      "/notebooks/user/another/api",
      "/notebooks/hub//user/another",
      "/notebooks/%75ser/another",
      "/notebooks/services/session/api/%6de",
      "/notebooks\\x",
    ]),
    ...nowhere(
      [
        "/../state",
        "/%2e%2e/state",
        "/models/..%2f..%2fstate",
        "//state",
        "/models;x",
        "/models/%00",
        "/%c0%ae",
        "/x\\y",
      ].map((rest) => `${o.predictions}${rest}`),
    ),
    ...nowhere([o.runMetrics.replace(/runs\/[^/]*/, "runs/..%2f..")], 422),
    ...nowhere([o.runMetrics.replace(/(runs\/[^/]*)/, "$1%00")], 422),
    ...malformed([`${roles}#x`, "/platform/r\xf6les", "/\xff", "/\xc0\xaf", "platform/roles", "?x", `${roles}\x7f`]),
    { target: `/${"x".repeat(100_000)}`, status: 431, closes: true },
    { target: `${roles}?${"x".repeat(100_000)}`, status: 431, closes: true },
  ];
}
