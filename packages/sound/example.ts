import { open } from 'node:fs/promises'
import { type Pcm, rate } from '@fonds/sound'
import { decode } from '@fonds/sound/decode'
import { createFourier, searchGroup } from '@fonds/sound/search'

const record = async (path: string): Promise<Pcm> => {
  await using file = await open(path)
  await using pcm = await open(`${path}.pcm`, 'w')
  const read = async (length: number, position: number) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
    return buffer.subarray(0, bytesRead)
  }
  const sound = await decode(read, { rate, maxSeconds: 24 * 3600 })
  let samples = 0
  for await (const piece of sound.samples) {
    await pcm.writeFile(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength))
    samples += piece.length
  }
  return { path: `${path}.pcm`, rate, samples }
}

const [episode = '', ...clips] = process.argv.slice(2)
const recordings = await Promise.all(clips.map(async (id) => ({ id, recording: await record(id) })))
const found = searchGroup(await createFourier(), await record(episode), recordings, async () => {})
for await (const outcome of found)
  if ('error' in outcome) console.log(`a clip cannot be searched for: ${outcome.error}`)
  else
    for (const { offset, score } of outcome.matches)
      console.log(`at ${(offset / 1e9).toFixed(3)} s, score ${score.toFixed(2)}`)
