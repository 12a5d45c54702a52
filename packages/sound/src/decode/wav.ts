import { bytesOf } from '@fonds/bytes'
import { mpegSound } from './mpeg.ts'
import type { Decode, Sound, SoundFile } from './sound.ts'
import type { PcmFormat } from './wav-format.ts'
import { appendedAt, type WavPart, wavPart } from './wav-layout.ts'

/*
 * RIFF WAVE, RF64 and BW64. Ours, because the available libraries need the whole file in memory, or end at 4 GiB.
 */

const framesAtOnce = 16_384

export const decodeWav: Decode = async function* (file) {
  for (let start: number | undefined = file.start; start !== undefined; ) {
    const part: WavPart = await wavPart(file.read, start)
    yield* part.format.kind === 'pcm'
      ? pcm(file, part, part.format)
      : mpegSound(() => file.bytes(part.from, part.to))
    start = part.to === Number.POSITIVE_INFINITY ? undefined : await appendedAt(file.read, part.to)
  }
}

async function* pcm(
  file: SoundFile,
  { from, to, stated }: WavPart,
  { rate, channels, frame, read }: PcmFormat,
): AsyncGenerator<Sound> {
  const bytes = bytesOf(file.bytes(from, to))
  const width = frame / channels
  let length = 0
  for (;;) {
    const taken = await bytes.take(framesAtOnce * frame)
    const count = Math.floor(taken.length / frame)
    if (count === 0) break
    const piece = Array.from({ length: channels }, () => new Float32Array(count))
    for (const [channel, values] of piece.entries())
      for (let i = 0; i < count; i++) values[i] = read(taken, i * frame + channel * width)
    yield { rate, channels: piece }
    length += count
  }
  if (stated !== undefined) yield { rate, missing: Math.floor(stated / frame) - length, isDoubtful: true }
}
