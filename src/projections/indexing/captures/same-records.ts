import { captureLine } from '@fonds/cdx'
import type { CaptureIndex } from '../../../ports/capture-index.ts'
import { textOf } from './read-lines.ts'

/** Lines that are looked up concurrently. */
const lookUps = 64

/** The lines given, each with its LF, and all that the index has of the same records: of their key, time, file and offset. */
export async function* withSameRecords(
  index: Pick<CaptureIndex, 'scan'>,
  batches: AsyncIterable<string>,
): AsyncGenerator<string> {
  for await (const batch of batches) {
    const lines = batch.split('\n').slice(0, -1)
    for (let at = 0; at < lines.length; at += lookUps) {
      const found = await Promise.all(lines.slice(at, at + lookUps).map((line) => sameRecord(index, line)))
      yield found.flat().join('')
    }
  }
}

const sameRecord = async ({ scan }: Pick<CaptureIndex, 'scan'>, text: string): Promise<readonly string[]> => {
  const same = new Set([text])
  const asked = captureLine(text)
  if (asked) {
    const moment = `${asked.key} ${asked.time}`
    for await (const batch of scan({ from: Buffer.from(`${moment} `), to: Buffer.from(`${moment}!`) }))
      for (const bytes of batch) {
        const line = captureLine(textOf(bytes))
        if (line?.field('file') === asked.field('file') && line.field('offset') === asked.field('offset'))
          same.add(line.text)
      }
  }
  return [...same].map((line) => `${line}\n`)
}
