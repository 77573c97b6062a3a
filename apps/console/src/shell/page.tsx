import { type ReactNode, useEffect } from "react";

interface PageProps {
  /** Also of the browser's tab. */
  title: string;
  /** Above the title: where this page belongs. */
  trail?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The frame of every page: its title, its actions, its content. */
export function Page({ title, trail, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · AI platform`;
  }, [title]);
  return (
    <div className="page">
      <header className="page-head">
        <div className="grow">
          {trail && <div className="page-trail">{trail}</div>}
          <h1>{title}</h1>
        </div>
        {actions && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
