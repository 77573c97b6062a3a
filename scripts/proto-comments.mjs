/** Where the children of a descriptor stand in a `SourceCodeInfo` path: field number → JSON name. */
const fileChildren = { 4: "messageType", 5: "enumType", 6: "service", 7: "extension" };
const messageChildren = { 2: "field", 3: "nestedType", 4: "enumType", 6: "extension", 8: "oneofDecl" };
const childrenOf = {
  file: fileChildren,
  messageType: messageChildren,
  nestedType: messageChildren,
  enumType: { 2: "value" },
  service: { 2: "method" },
};

function symbolAt(file, path) {
  let node = file;
  let kind = "file";
  const names = file.package ? [file.package] : [];
  for (let index = 0; index < path.length; index += 2) {
    const next = childrenOf[kind]?.[path[index]];
    const child = next && node[next]?.[path[index + 1]];
    if (!child) return undefined;
    [node, kind] = [child, next];
    names.push(child.name);
  }
  return names.join(".");
}

/**
 * Fully qualified name → leading comment, of every commented symbol of our own modules, sorted by name.
 * The messages that code is generated for carry no comments, and the reference pages are made of them.
 */
export function commentsBySymbol(image) {
  const ours = image.file.filter(({ name }) => /^(aiplatform|transcoder)\//.test(name));
  const entries = ours.flatMap((file) =>
    (file.sourceCodeInfo?.location ?? []).flatMap(({ path = [], leadingComments }) => {
      const symbol = leadingComments && path.length > 0 && symbolAt(file, path);
      return symbol ? [[symbol, leadingComments.trim().replace(/\n /g, "\n")]] : [];
    }),
  );
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
