import type { DescEnum } from "@bufbuild/protobuf";

/** An enum as JSON has it: lower-case names without the enum's prefix, and without the value that means "none". */
export interface EnumNames {
  readonly byName: ReadonlyMap<string, number>;
  readonly byNumber: ReadonlyMap<number, string>;
}

export function enumNames(desc: DescEnum): EnumNames {
  const byName = new Map<string, number>();
  const byNumber = new Map<number, string>();
  for (const { name, number } of desc.values) {
    const plain = name.toLowerCase().slice(desc.sharedPrefix?.length ?? 0);
    if (number === 0 && plain === "unspecified") continue;
    byName.set(plain, number);
    if (!byNumber.has(number)) byNumber.set(number, plain);
  }
  return { byName, byNumber };
}
