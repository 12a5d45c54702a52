import { UnreadableArchive } from '@fonds/warc'
import { type OpenRecord, readRecords, salvageRecords } from '@fonds/warc/read'

const list = ({ head, offset, readHttpHead }: OpenRecord) => {
  const status = head.isHttp ? (readHttpHead().status ?? '-') : '-'
  return {
    end: (length: number) => console.log(`${offset} +${length}: ${head.type} ${status} ${head.url ?? '-'}`),
  }
}

for (const path of process.argv.slice(2))
  try {
    const { records } = await readRecords(path, list)
    console.log(`${path}: ${records} records`)
  } catch (error) {
    if (!(error instanceof UnreadableArchive)) throw error
    const { code, offset, reason } = error.failure
    console.log(`${path}: ${code} at byte ${offset}: ${reason}`)
    const { records, loss } = await salvageRecords(path, list)
    console.log(`${path}: ${records} records are whole, ${loss?.bytes} bytes are lost`)
  }
