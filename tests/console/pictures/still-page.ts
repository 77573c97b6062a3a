import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";

const { resolve } = createRequire(import.meta.url);

function fontFace(family: string, file: string): string {
  const data = readFileSync(resolve(file)).toString("base64");
  return `@font-face { font-family: "${family}"; font-weight: 100 900; src: url(data:font/woff2;base64,${data}); }`;
}

/** The fonts of packages instead of the machine's, and nothing that moves or is measured. */
const stillStyle = `
${fontFace("Still Sans", "@fontsource-variable/inter/files/inter-latin-wght-normal.woff2")}
${fontFace("Still Mono", "@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2")}
:root:root { --sans: "Still Sans"; --mono: "Still Mono"; }
*, *::before, *::after { animation: none !important; transition: none !important; caret-color: transparent !important; }
.timeline-meter, .digit p.muted { visibility: hidden; }
`;

/**
 * What of a text differs from one platform to the next, and what is shown instead: ends of ids, ids, durations, ports. A text that was
 * replaced stays as it is.
 */
const replacements: readonly (readonly [pattern: string, shown: string])[] = [
  ["…[0-9a-z]{8}\\b", "…01234567"],
  ["\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b", "01234567-89ab-4cde-8f01-23456789abcd"],
  ["\\b[0-9a-f]{24}\\b", "0123456789abcdef01234567"],
  ["\\b\\d+ (?:s|min|h|d)(?: \\d+ (?:s|min|h))?\\b", "1 min 0 s"],
  ["\\b[0-9a-f]{8}\\b", "01234567"],
  ["\\baip_…[\\w-]{4}", "aip_…abcd"],
  ["\\b127\\.0\\.0\\.1:\\d+", "127.0.0.1:8080"],
];

/** Runs in the page before its scripts, whose types these programs do not know. */
const keepStill = `
const replacements = ${JSON.stringify(replacements)}.map(([pattern, shown]) => [new RegExp(pattern, "g"), shown]);
function still(node) {
  const isTime = node.parentElement?.closest("time") !== null && node.parentElement !== null;
  let text = isTime ? "1 min. ago" : node.nodeValue;
  for (const [pattern, shown] of isTime ? [] : replacements) text = text.replace(pattern, shown);
  if (text !== node.nodeValue) node.nodeValue = text;
}
function stillBelow(root) {
  if (root.nodeType === Node.TEXT_NODE) return still(root);
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) still(texts.currentNode);
}
new MutationObserver((changes) => {
  for (const { type, target, addedNodes } of changes)
    if (type === "characterData") still(target);
    else for (const node of addedNodes) stillBelow(node);
}).observe(document, { subtree: true, childList: true, characterData: true });
const style = new CSSStyleSheet();
style.replaceSync(${JSON.stringify(stillStyle)});
document.adoptedStyleSheets.push(style);
// A canvas does not wait for a font.
for (const family of ["Still Sans", "Still Mono"]) void document.fonts.load("12px '" + family + "'");
`;

/**
 * A page that looks the same each time: its fonts are those of packages, nothing moves, and what differs between two platforms is replaced.
 */
export async function stillPage(browser: Browser, theme: "light" | "dark"): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 720 },
    deviceScaleFactor: 1,
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
    // Fonts of data URLs and a style sheet of the test; other tests hold the pages to their policy.
    bypassCSP: true,
  });
  const page = await context.newPage();
  await page.addInitScript(keepStill);
  return page;
}
