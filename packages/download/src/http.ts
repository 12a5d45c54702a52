/* Requests to allowed hosts, and downloads into partial files that are resumed. */

export {
  failOnStatus,
  failUnlessStatus,
  isPlain,
  lengthOf,
  mayPass,
  rangeOf,
  validatorsOf,
} from './http/answer.ts'
export { codingOf, isOwnCoding, undone } from './http/coding.ts'
export {
  type DownloadOptions,
  download,
  downloadAsSent,
  isResumable,
  type ReceivedBytes,
} from './http/download.ts'
export { inTries, type Tries } from './http/in-tries.ts'
export { openPart, type Part } from './http/part.ts'
export { type PartPlace, type Representation, removePart } from './http/part-files.ts'
export { type AllowedHosts, askAllowed, failUnlessAllowed, request } from './http/request.ts'
export { createStallWatch } from './http/stall-watch.ts'
