/* Sound that the search takes for speech and music, the same on every run. */

export const rate = 8000

/** Numbers from 0 to 1, the same for the same seed. */
const numbers = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}

/** Syllables: a voice's pitch and its harmonics, each syllable with a colour and a length of its own. */
export const talk = (seconds: number, seed: number): Float32Array => {
  const chance = numbers(seed)
  const samples = new Float32Array(Math.round(seconds * rate))
  const voice = 90 + 120 * chance()
  for (let from = 0; from < samples.length; ) {
    const length = Math.round(rate * (0.08 + 0.25 * chance()))
    const pitch = voice * (0.85 + 0.3 * chance())
    const glide = 1 + 0.15 * (chance() - 0.5)
    const colour = Array.from({ length: 10 }, () => chance() ** 2)
    const loudness = 0.15 + 0.35 * chance()
    for (let i = 0; i < length && from + i < samples.length; i++) {
      const done = i / length
      const phase = 2 * Math.PI * pitch * (1 + (glide - 1) * done) * (i / rate)
      const tone = colour.reduce((sum, strength, n) => sum + strength * Math.sin((n + 1) * phase), 0)
      samples[from + i] = loudness * Math.sin(Math.PI * done) * (tone / 3 + 0.03 * (chance() - 0.5))
    }
    from += length + Math.round(rate * 0.12 * chance())
  }
  return samples
}

/** A tune of chords. */
export const jingle = (seconds: number, seed: number): Float32Array => {
  const chance = numbers(seed)
  const samples = new Float32Array(Math.round(seconds * rate))
  const beat = Math.round(rate * 0.3)
  for (let from = 0; from < samples.length; from += beat) {
    const root = 220 * 2 ** (Math.floor(12 * chance()) / 12)
    for (let i = 0; i < beat && from + i < samples.length; i++)
      samples[from + i] = [1, 1.26, 1.5]
        .map((step) => 0.12 * Math.exp((-3 * i) / beat) * Math.sin((2 * Math.PI * root * step * i) / rate))
        .reduce((sum, one) => sum + one)
  }
  return samples
}

/** Mixes a sound into another at some second, louder or softer by a factor. */
export const mixIn = (
  sound: Float32Array,
  other: Float32Array,
  second: number,
  loudness = 1,
): Float32Array => {
  const from = Math.round(second * rate)
  return sound.map((sample, i) => sample + loudness * (other[i - from] ?? 0))
}

/** A WAV file: one channel of 16 bits. */
export const wav = (sound: Float32Array): Buffer => {
  const file = Buffer.alloc(44 + sound.length * 2)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + sound.length * 2, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(sound.length * 2, 40)
  for (const [i, sample] of sound.entries())
    file.writeInt16LE(Math.round(32767 * Math.max(-1, Math.min(1, sample))), 44 + i * 2)
  return file
}
