import { describe, expect, it } from "vitest";
import { isNotebookPath, judgePath } from "./path.ts";

const me = "member-019a7c5e-0000-7000-8000-000000000001";
const other = "member-019a7c5e-0000-7000-8000-000000000002";

describe("a path that is the notebooks'", () => {
  it.each(["/notebooks", "/notebooks/", "/notebooks?x", "/notebooks/hub/api"])("%s is", (url) => {
    expect(isNotebookPath(url)).toBe(true);
  });

  it.each([
    "/",
    "/notebook",
    "/notebooksx/",
    "/Notebooks/",
    "//notebooks/",
    "/%6eotebooks/",
    "http://x/notebooks/",
    "*",
  ])("%s is not", (url) => {
    expect(isNotebookPath(url)).toBe(false);
  });
});

describe("a path that passes", () => {
  it.each([
    "/notebooks",
    "/notebooks/",
    "/notebooks/hub/api",
    "/notebooks/hub/api/",
    "/notebooks/hub/api/user",
    "/notebooks/hub/api/users",
    "/notebooks/hub/api/users/",
    `/notebooks/hub/api/users/${me}`,
    `/notebooks/hub/api/users/${me}/server`,
    `/notebooks/hub/spawn/${me}`,
    `/notebooks/user/${me}`,
    `/notebooks/user/${me}/`,
    `/notebooks/user/${me}/api/kernels/3f/channels?session_id=user/${other}/..`,
    `/notebooks/user/${me}/api/contents/my%20file.ipynb`,
    `/notebooks/user/${me}/api/contents/100%25.ipynb`,
    `/notebooks/user/${me}/api/contents/%C3%A9t%C3%A9`,
    `/notebooks/user/${me}/api/contents/.hidden/...`,
    `/notebooks/user/${me}/api/contents/a..b`,
    `/notebooks/user/${me}/api/contents/hub/api/users/${other}`,
    `/notebooks/user/${me}/api/contents/user/${other}`,
    "/notebooks/services/report/",
    "/notebooks/services/session/api/me/too",
  ])("%s", (url) => {
    expect(judgePath(url, me)).toBe("passes");
  });
});

describe("a path that leads nowhere", () => {
  it.each([
    // Another's server and record.
    `/notebooks/user/${other}`,
    `/notebooks/user/${other}/`,
    `/notebooks/user/${other}/api/contents`,
    `/notebooks/user/${other}?x=/user/${me}`,
    `/notebooks/hub/user/${other}/`,
    `/notebooks/hub/spawn/${other}`,
    `/notebooks/hub/spawn-pending/${other}`,
    `/notebooks/hub/api/users/${other}`,
    `/notebooks/hub/api/users/${other}/server`,
    `/notebooks/hub/api/users/${other}/tokens`,
    `/notebooks/hub/api/shares/${other}/x`,
    // A user whose name begins or ends like ours.
    `/notebooks/user/${me}x/`,
    `/notebooks/user/x${me}/`,
    `/notebooks/user/${me};/`,
    // Capitals.
    `/notebooks/USER/${other}/`,
    `/notebooks/user/${other.toUpperCase()}/`,
    `/notebooks/HUB/Api/users/${other}`,
    `/notebooks/user/${me.toUpperCase()}/`,
    `/notebooks/User/${me}/`,
    // Letters in disguise, once and more often.
    `/notebooks/%75ser/${other}/`,
    `/notebooks/%75ser/${me}/`,
    `/notebooks/user/%6d${other.slice(1)}/`,
    `/notebooks/user/%6d${me.slice(1)}/`,
    `/notebooks/%2575ser/${other}/`,
    `/notebooks/%252575ser/${other}/`,
    `/notebooks/%55%53%45%52/${other}/`,
    `/notebooks/user;x=y/${other}/`,
    `/notebooks/hub;/api/users/${other}/`,
    // Slashes in disguise.
    `/notebooks/user%2f${other}/`,
    `/notebooks/user%2F${other}/`,
    `/notebooks/user%252f${other}/`,
    `/notebooks/user%5c${other}/`,
    `/notebooks/user\\${other}/`,
    `/notebooks/hub%2fapi/users/${other}`,
    `/notebooks/hub/api%2fusers%2f${other}`,
    // Dot segments.
    `/notebooks/user/${me}/../${other}/`,
    `/notebooks/user/${me}/./../${other}/`,
    `/notebooks/user/${me}/%2e%2e/${other}/`,
    `/notebooks/user/${me}/.%2E/${other}/`,
    `/notebooks/user/${me}/%252e%252e/${other}/`,
    `/notebooks/user/${me}/..%2f${other}/`,
    `/notebooks/user/${me}/%2e%2e%2f${other}`,
    `/notebooks/user/${me}/..%5c${other}/`,
    `/notebooks/user/${me}/..;/${other}/`,
    `/notebooks/user/${me}/..;x=y/${other}/`,
    `/notebooks/user/${me}/..%20/${other}/`,
    `/notebooks/user/${me}/..`,
    `/notebooks/x/../user/${other}`,
    "/notebooks/..",
    "/notebooks/../platform/roles/",
    "/notebooks/%2e%2e/platform/roles/",
    "/notebooks/.",
    // Empty segments.
    `/notebooks//user/${other}/`,
    `/notebooks/user//${other}/`,
    `/notebooks/user/${me}//`,
    `/notebooks/%2fuser/${other}/`,
    // What cannot be read, or ends a path for some.
    `/notebooks/user/${me}/%`,
    `/notebooks/user/${me}/%zz`,
    `/notebooks/user/${me}/%c0%ae%c0%ae/${other}`,
    `/notebooks/user/${me}/#`,
    `/notebooks/user/${me}/\u00e9`,
    `/notebooks/user/${me}/a b`,
    // What an operation of ours answers, in another spelling.
    "/notebooks/services/session/api/me",
    "/notebooks/services/session/api/me/",
    "/notebooks/services/Session/api/me",
    "/notebooks/services/session/api/%6de",
    "/notebooks/services%2fsession/api/me",
    // Nothing of ours at all.
    "/platform/roles/",
  ])("%s", (url) => {
    expect(judgePath(url, me)).toBe("leads nowhere");
  });
});
