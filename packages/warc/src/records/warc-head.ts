import type { UnreadableArchive } from '../read-failure.ts'
import { type Fields, headReader } from './head.ts'
import type { RecordHead } from './record.ts'
import { timestampOfDate } from './timestamps.ts'

export const readWarcFields = headReader([
  'warc-type',
  'content-length',
  'content-type',
  'warc-target-uri',
  'warc-date',
  'warc-payload-digest',
  'warc-record-id',
  'warc-refers-to',
  'warc-concurrent-to',
])

type Fault = (code: 'corrupt', reason: string) => UnreadableArchive

/** Interprets the fields. Throws the error that `fault` makes if they are not the head of a record. */
export const recordHeadOf = (fields: Fields, fault: Fault): RecordHead => {
  const [type, length, contentType, url, date, payloadDigest, id, refersTo, concurrentTo] = fields
  if (length === undefined || !/^\d{1,15}$/.test(length))
    throw fault('corrupt', 'the Content-Length of a record is no number of bytes')
  return {
    format: 'warc',
    type: type?.toLowerCase(),
    id,
    url,
    time: date === undefined ? undefined : timestampOfDate(date),
    contentType,
    isHttp: contentType === undefined ? isWeb.test(url ?? '') : isHttp.test(contentType),
    payloadDigest,
    refersTo,
    concurrentTo,
    blockLength: Number(length),
  }
}

const isWeb = /^<?https?:/i
const isHttp = /^application\/http\b/i
