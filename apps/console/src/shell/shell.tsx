import { Navigate, Outlet, useLocation, useRouter } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useDownSince } from "../api/connection.ts";
import { useSession } from "../api/session.ts";
import { ErrorNotice } from "../ui/error-notice.tsx";
import { Navigation } from "./navigation.tsx";
import { TopBar } from "./top-bar.tsx";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** What surrounds all pages of a session: navigation, search, account. Without a session it shows the sign-in page. */
export function Shell() {
  const { data: session, error } = useSession();
  if (session === null) return <SignInFirst />;
  if (session === undefined)
    return error ? <ErrorNotice error={error} /> : <div className="loading-page" role="status" aria-label="Loading" />;
  return (
    <div className="shell">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <TopBar session={session} />
      <Navigation />
      <Content />
    </div>
  );
}

/** Leads to the sign-in page, and from there back to the page that was asked for. */
function SignInFirst() {
  const router = useRouter();
  // Read once and not followed: each step on the way to the sign-in page would begin the way again.
  const [search] = useState(() => {
    const to = router.state.location.href;
    return to === "/" ? {} : { to };
  });
  return <Navigate to="/sign-in" search={search} replace />;
}

function Content() {
  const { pathname } = useLocation();
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A screen reader begins to read the new page; the first one it reads by itself.
  useEffect(() => {
    if (!isFirst.current && pathname) main.current?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [pathname]);
  return (
    <main id="content" ref={main} tabIndex={-1}>
      <OfflineBanner />
      <Outlet />
    </main>
  );
}

function OfflineBanner() {
  const since = useDownSince();
  if (since === undefined) return null;
  return (
    <div className="offline" role="status">
      The platform has not answered since {clock.format(since)}. What you see may be old; the console asks again by
      itself.
    </div>
  );
}
