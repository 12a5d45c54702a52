import { createMp3Encoder, createOggEncoder } from 'wasm-media-encoders'
import { chance, noise, type Speaker, speech, studioRate } from './programmes.ts'

/* What happens to sound between the studio and the archive. */

/** A WAV, MP3 or Ogg file. */
export type Degrade = (sound: Float32Array) => Promise<Buffer>

export const degradations: Readonly<Record<string, Degrade>> = {
  none: async (sound) => wav(sound),
  'mp3 64 kbit/s': (sound) => mp3(sound, 64),
  'mp3 48 kbit/s': (sound) => mp3(sound, 48),
  'mp3 32 kbit/s': (sound) => mp3(sound, 32),
  'ogg, lowest quality': (sound) => ogg(sound),
  '12 dB quieter': async (sound) => wav(amplified(sound, -12)),
  '12 dB louder, clipped': async (sound) => wav(amplified(sound, 12)),
  'noise, SNR 20 dB': async (sound) => wav(noisy(sound, 20)),
  'noise, SNR 10 dB': async (sound) => wav(noisy(sound, 10)),
  'noise, SNR 5 dB': async (sound) => wav(noisy(sound, 5)),
  'speech over it, -10 dB': async (sound) => wav(spokenOver(sound, 10)),
  'speech over it, -6 dB, then mp3 32': (sound) => mp3(spokenOver(sound, 6), 32),
}

/** Half a second in and out, or a third of what is short. */
export const faded = (sound: Float32Array): Float32Array => {
  const way = Math.min(studioRate / 2, sound.length / 3)
  return sound.map((x, i) => x * Math.min(1, i / way, (sound.length - i) / way))
}

const amplified = (sound: Float32Array, decibels: number): Float32Array =>
  sound.map((x) => x * 10 ** (decibels / 20))

const power = (sound: Float32Array): number => sound.reduce((sum, x) => sum + x * x, 0) / sound.length

const mixed = (sound: Float32Array, other: Float32Array, decibels: number): Float32Array => {
  const factor = Math.sqrt(power(sound) / power(other)) * 10 ** (-decibels / 20)
  return sound.map((x, i) => x + factor * other[i]!)
}

const noisy = (sound: Float32Array, decibels: number): Float32Array =>
  mixed(sound, noise(chance(99), sound.length / studioRate), decibels)

const commentator: Speaker = { pitch: 160, size: 1.05 }

const spokenOver = (sound: Float32Array, decibels: number): Float32Array =>
  mixed(sound, speech(chance(98), commentator, sound.length / studioRate), decibels)

export const wav = (sound: Float32Array, rate = studioRate): Buffer => {
  const file = Buffer.alloc(44 + 2 * sound.length)
  file.write('RIFF\0\0\0\0WAVEfmt ', 'latin1')
  file.writeUInt32LE(36 + 2 * sound.length, 4)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(2 * rate, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(2 * sound.length, 40)
  for (const [i, x] of sound.entries())
    file.writeInt16LE(Math.round(Math.max(-1, Math.min(1, x)) * 32_767), 44 + 2 * i)
  return file
}

interface Encoder {
  encode(samples: readonly Float32Array[]): Uint8Array
  finalize(): Uint8Array
}

const encoded = (encoder: Encoder, sound: Float32Array): Buffer => {
  const parts: Buffer[] = []
  for (let i = 0; i < sound.length; i += 16_384)
    parts.push(Buffer.from(encoder.encode([sound.subarray(i, i + 16_384)])))
  return Buffer.concat([...parts, Buffer.from(encoder.finalize())])
}

const mp3 = async (sound: Float32Array, bitrate: number): Promise<Buffer> => {
  const encoder = await createMp3Encoder()
  encoder.configure({ channels: 1, sampleRate: studioRate, bitrate })
  return encoded(encoder, sound)
}

const ogg = async (sound: Float32Array): Promise<Buffer> => {
  const encoder = await createOggEncoder()
  encoder.configure({ channels: 1, sampleRate: studioRate, vbrQuality: -1 })
  return encoded(encoder, sound)
}
