import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rate } from '@fonds/sound'
import { decodeFile } from '../src/workers/research/media/decode-file.ts'
import type { Recording } from '../src/workers/research/recording.ts'

const folder = await mkdtemp(join(tmpdir(), 'fonds-bench-recordings-'))
let files = 0

/** Media as the searcher reads them: decoded by the researcher's own decoder. */
export const recorded = async (media: Buffer): Promise<Recording> => {
  const source = join(folder, String(files++))
  const path = `${source}.pcm`
  await writeFile(source, media)
  await using file = await open(source)
  const bounds = { maxSeconds: 36_000, maxBytes: Number.POSITIVE_INFINITY, roomPercent: 100 }
  const { samples, differing } = await decodeFile(
    { source: file.fd, target: path, rate, ...bounds },
    () => {},
  )
  await rm(source)
  return { path, rate, samples, differing, duration: (samples * 1e9) / rate, hash: '' }
}

export const dropRecordings = (): Promise<void> => rm(folder, { recursive: true, force: true })
