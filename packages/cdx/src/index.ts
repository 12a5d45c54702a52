export type { Capture, CaptureRequest, RecordPlace } from './capture.ts'
export type { Column, Texts } from './lines/columns.ts'
export { compareLines } from './lines/compare-lines.ts'
export { fileToken, formatLine, keyOf, tokenOf } from './lines/format-line.ts'
export { type CdxFormat, cdxFormats, headerOf, isHeader } from './lines/formats.ts'
export { createLineReader, type LineReader, parseLines } from './lines/line-reader.ts'
export { type CdxLine, parseLine } from './lines/parse-line.ts'
export type { Result } from './lines/result.ts'
export { type CaptureLine, captureLine } from './query/capture-line.ts'
export type {
  CaptureKeys,
  CapturePage,
  CaptureQuery,
  ClosestFirst,
  Collapse,
  Condition,
  Cut,
  ResumePoint,
  SearchEnd,
} from './query/capture-query.ts'
export {
  domainRanges,
  hostRanges,
  type KeyRange,
  type MatchType,
  prefixRange,
  rangeOfPrefix,
} from './query/key-ranges.ts'
export { resumeKeyOf, resumePointOf } from './query/resume-key.ts'
export { earliest, lastSecond, latest, millisOf } from './query/time-bounds.ts'
export { type Request, requestQuery, requestUrl } from './request/request-url.ts'
export { surt, surtWithQuery } from './surt.ts'
