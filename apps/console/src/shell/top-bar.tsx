import { Menu } from "@base-ui/react/menu";
import { Link } from "@tanstack/react-router";
import { CircleUser, LogOut, Monitor, Moon, Search, Sun } from "lucide-react";
import { useEffect, useState } from "react";
import { AccountItems } from "../account/account-items.tsx";
import { SessionsDialog } from "../account/sessions-dialog.tsx";
import { consolePath } from "../api/console-path.ts";
import { type Session, useSignOut } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { useToast } from "../ui/toasts.tsx";
import { SearchDialog } from "./search-dialog.tsx";
import { applyTheme, readTheme, type Theme } from "./theme.ts";

/** Organisation, search and account. */
export function TopBar({ session }: { session: Session }) {
  const [isSearching, setIsSearching] = useState(false);
  const [showsSessions, setShowsSessions] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      setIsSearching(true);
    };
    window.addEventListener("keydown", open);
    return () => window.removeEventListener("keydown", open);
  }, []);
  return (
    <header className="top-bar">
      <Link to="/" className="brand">
        <img src={`${consolePath}icon.svg`} alt="" width="22" height="22" />
        <span className="brand-name">{session.organisation?.name}</span>
      </Link>
      <div className="row">
        <button type="button" className="search-trigger" onClick={() => setIsSearching(true)}>
          <Search size={14} aria-hidden="true" />
          <span>Search</span>
          <span className="key" aria-hidden="true">
            Ctrl K
          </span>
        </button>
        <AccountMenu session={session} onSessions={() => setShowsSessions(true)} />
      </div>
      <SessionsDialog isOpen={showsSessions} onClose={() => setShowsSessions(false)} />
      <SearchDialog isOpen={isSearching} onClose={() => setIsSearching(false)} />
    </header>
  );
}

const themes: readonly { theme: Theme; label: string; Icon: typeof Sun }[] = [
  { theme: "system", label: "Theme of the device", Icon: Monitor },
  { theme: "light", label: "Light theme", Icon: Sun },
  { theme: "dark", label: "Dark theme", Icon: Moon },
];

function AccountMenu({ session, onSessions }: { session: Session; onSessions: () => void }) {
  const toast = useToast();
  const signOut = useSignOut();
  const [theme, setTheme] = useState(readTheme);
  const choose = (value: Theme) => {
    applyTheme(value);
    setTheme(value);
  };
  const leave = () =>
    signOut.mutate(undefined, { onError: ({ message }) => toast.bad(`You are still signed in: ${message}`) });
  return (
    <Menu.Root>
      <Menu.Trigger render={<Button kind="quiet" label="Account and theme" />}>
        <CircleUser size={18} aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end">
          <Menu.Popup className="menu">
            <Menu.Group>
              <Menu.GroupLabel className="menu-label">Signed in as {session.name}</Menu.GroupLabel>
            </Menu.Group>
            <AccountItems session={session} onSessions={onSessions} />
            <Menu.RadioGroup value={theme} onValueChange={choose}>
              {themes.map(({ theme: value, label, Icon }) => (
                <Menu.RadioItem key={value} value={value} className="menu-item">
                  <Icon size={15} aria-hidden="true" />
                  <span className="grow">{label}</span>
                  <Menu.RadioItemIndicator>✓</Menu.RadioItemIndicator>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
            <Menu.Item className="menu-item" onClick={leave}>
              <LogOut size={15} aria-hidden="true" />
              Sign out
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
