/** `system` follows the device. */
export type Theme = "system" | "light" | "dark";

const key = "theme";

/** The theme that the viewer chose on this device. */
export function readTheme(): Theme {
  const stored = localStorage.getItem(key);
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Shows a theme, and keeps it for the next visit. */
export function applyTheme(theme: Theme): void {
  if (theme === "system") {
    localStorage.removeItem(key);
    delete document.documentElement.dataset["theme"];
  } else {
    localStorage.setItem(key, theme);
    document.documentElement.dataset["theme"] = theme;
  }
  window.dispatchEvent(new Event("themechange"));
}
