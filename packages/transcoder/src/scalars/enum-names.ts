import { enum_json } from "@aiplatform/contract/transcoder/v1/route";
import { type DescEnum, getOption } from "@bufbuild/protobuf";

/** An enum as JSON has it: names without the enum's prefix, in the case its options say, and without the value that means "none". */
export interface EnumNames {
  readonly byName: ReadonlyMap<string, number>;
  readonly byNumber: ReadonlyMap<number, string>;
}

export function enumNames(desc: DescEnum): EnumNames {
  const { pascalCase } = getOption(desc, enum_json);
  const byName = new Map<string, number>();
  const byNumber = new Map<number, string>();
  for (const { name, number } of desc.values) {
    const plain = name.toLowerCase().slice(desc.sharedPrefix?.length ?? 0);
    if (number === 0 && plain === "unspecified") continue;
    const written = pascalCase ? inPascalCase(plain) : plain;
    byName.set(written, number);
    if (!byNumber.has(number)) byNumber.set(number, written);
  }
  return { byName, byNumber };
}

function inPascalCase(words: string): string {
  return words.replaceAll(/(?:^|_)([a-z0-9])/g, (_match, first: string) => first.toUpperCase());
}
