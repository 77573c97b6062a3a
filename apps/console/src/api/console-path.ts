/** Path of the console, such as `/console/`: the gateway writes it into the page. */
export const consolePath: string = readConsolePath();

function readConsolePath(): string {
  const path = document.querySelector('meta[name="console-path"]')?.getAttribute("content");
  if (!path) throw new Error("index.html does not say the path of the console");
  return path;
}
