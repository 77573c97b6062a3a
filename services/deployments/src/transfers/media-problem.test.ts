import { describe, expect, it } from "vitest";
import { imageSize } from "./image-size.ts";
import { mediaProblem } from "./media-problem.ts";

const base64 = (text: string) => Buffer.from(text, "base64");

/** An image of 3 × 2 pixels in each format, as far as its size. */
const images = {
  png: base64("iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGP8zwAFTDAGAwATKQED8NgHhAAAAABJRU5ErkJggg=="),
  jpeg: base64("/9j/4AAQSkZJRgABAQAAAQABAAD/wAARCAACAAMDASIAAhEBAxEB"),
  progressive: base64("/9j/4AAQSkZJRgABAQAAAQABAAD/wgARCAACAAMDASIAAhEBAxEB"),
  lossy: base64("UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoDAAIAAUAmJaACdLoB+AADsAD+8ut//NgVzXPv9//S4P0uD9Lg/9KQAAA="),
  lossless: base64("UklGRhwAAABXRUJQVlA4TA8AAAAvAkAAAAcQ/Y/+ByKi/wEA"),
  extended: base64("UklGRl4AAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAgICAgICAAA=="),
};

describe("the size of an image", () => {
  it.each([
    ["image/png", images.png],
    ["image/jpeg", images.jpeg],
    ["image/jpeg", images.progressive],
    ["image/webp", images.lossy],
    ["image/webp", images.lossless],
    ["image/webp", images.extended],
  ])("is read of %s", (mediaType, bytes) => {
    expect(imageSize(mediaType, bytes)).toEqual({ width: 3, height: 2 });
  });

  it("is read of a JPEG behind a profile and bytes that fill up", () => {
    const profile = Buffer.concat([base64("/+H/8A=="), Buffer.alloc(0xffee)]);
    const filled = Buffer.concat([images.jpeg.subarray(0, 2), profile, base64("////"), images.jpeg.subarray(20)]);
    expect(imageSize("image/jpeg", filled)).toEqual({ width: 3, height: 2 });
  });

  it.each(Object.entries(images))("is none of a %s image that ends before it", (name, bytes) => {
    const mediaType = { png: "image/png", jpeg: "image/jpeg", progressive: "image/jpeg" }[name] ?? "image/webp";
    for (let length = 0; length < 24; length++) expect(imageSize(mediaType, bytes.subarray(0, length))).toBeUndefined();
  });
});

describe("a file of a medium", () => {
  const wide = Buffer.from(images.png);
  wide.writeUInt32BE(8_193, 16);
  const empty = Buffer.from(images.png);
  empty.writeUInt32BE(0, 20);
  it.each<[string, string, Uint8Array, string | undefined]>([
    ["an image of its type", "image/png", images.png, undefined],
    ["an image of another type", "image/jpeg", images.png, "it is no image/jpeg"],
    ["a drawing with a script", "image/png", Buffer.from("<svg><script/></svg>".padEnd(64)), "it is no image/png"],
    ["too wide an image", "image/png", wide, "it has 8193 × 2 pixels, and each side may have 1 to 8192"],
    ["an image without a row", "image/png", empty, "it has 3 × 0 pixels, and each side may have 1 to 8192"],
    ["a text", "text/plain", Buffer.from("grüezi"), undefined],
    ["a text in another encoding", "text/plain", Buffer.from("grüezi", "latin1"), "it is no text in UTF-8"],
    ["a table", "application/json", Buffer.from(' {"columns":[],"rows":[]}'), undefined],
    ["a list for a table", "application/json", Buffer.from("[1]"), "it is no object of JSON"],
  ])("with %s is judged by its bytes", (_name, mediaType, bytes, problem) => {
    expect(mediaProblem(mediaType, bytes)).toBe(problem);
  });
});
