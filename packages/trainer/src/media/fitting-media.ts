import { type ReportedMedia, ReportedMediaSchema } from "@aiplatform/contract/aiplatform/training/v1/media";
import { toBinary } from "@bufbuild/protobuf";

/** Of one report. */
const maxMedia = 100;
const maxMediaBytes = 200_000;

/** As many of the first as one report takes: at least one, where there is one. */
export function fittingMedia(media: readonly ReportedMedia[]): readonly ReportedMedia[] {
  let left = maxMediaBytes;
  const count = media.slice(0, maxMedia).findIndex((medium, index) => {
    left -= toBinary(ReportedMediaSchema, medium).length;
    return left < 0 && index > 0;
  });
  return media.slice(0, count < 0 ? maxMedia : count);
}

/** Every second one, the newest among them, until one report takes them. */
export function thinnedMedia(media: readonly ReportedMedia[]): readonly ReportedMedia[] {
  let kept = media;
  while (fittingMedia(kept).length < kept.length) {
    const last = kept.length - 1;
    kept = kept.filter((_, index) => (last - index) % 2 === 0);
  }
  return kept;
}
