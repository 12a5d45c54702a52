/* The plainest FLAC there is: frames of samples as they are, or of one value that stands for all. */

class Bits {
  readonly bytes: number[] = []
  private held = 0
  private count = 0

  put(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) {
      this.held = (this.held << 1) | (Math.floor(value / 2 ** bit) & 1)
      if (++this.count === 8) {
        this.bytes.push(this.held)
        this.held = 0
        this.count = 0
      }
    }
  }
}

const crc = (bytes: readonly number[], polynomial: number, width: 8 | 16): number => {
  let sum = 0
  for (const byte of bytes) {
    sum ^= byte << (width - 8)
    for (let bit = 0; bit < 8; bit++)
      sum = (sum & (1 << (width - 1)) ? (sum << 1) ^ polynomial : sum << 1) & (2 ** width - 1)
  }
  return sum
}

const block = 4096
const rateCodes: Readonly<Record<number, number>> = { 8000: 4, 22050: 6, 44100: 9, 48000: 10 }

export const flac = (
  rate: 8000 | 22050 | 44100 | 48000,
  channels: readonly Float32Array[],
  { bits = 16, picture = 0, packed = false }: { bits?: 16 | 24; picture?: number; packed?: boolean } = {},
): Buffer => {
  const length = channels[0]!.length
  const head = new Bits()
  head.put(picture > 0 ? 0 : 0x80, 8)
  head.put(34, 24)
  head.put(block, 16)
  head.put(block, 16)
  head.put(0, 24)
  head.put(0, 24)
  head.put(rate, 20)
  head.put(channels.length - 1, 3)
  head.put(bits - 1, 5)
  head.put(length, 36)
  for (let i = 0; i < 16; i++) head.put(0, 8)
  const art = Buffer.alloc(picture > 0 ? picture + 4 : 0, 0xff)
  if (picture > 0) art.writeUInt32BE(0x8600_0000 + picture, 0)
  const parts: Buffer[] = [Buffer.from('fLaC'), Buffer.from(head.bytes), art]
  for (let n = 0; n * block < length; n++) parts.push(frame(n, rate, bits, channels, packed))
  return Buffer.concat(parts)
}

const frame = (
  n: number,
  rate: number,
  bits: number,
  channels: readonly Float32Array[],
  packed: boolean,
): Buffer => {
  const count = Math.min(block, channels[0]!.length - n * block)
  const out = new Bits()
  out.put(0xfff8, 16)
  out.put(7, 4)
  out.put(rateCodes[rate]!, 4)
  out.put(channels.length - 1, 4)
  out.put(bits === 16 ? 4 : 6, 3)
  out.put(0, 1)
  for (const byte of Buffer.from(String.fromCodePoint(n))) out.put(byte, 8)
  out.put(count - 1, 16)
  out.put(crc(out.bytes, 0x07, 8), 8)
  for (const channel of channels) {
    const samples = channel.subarray(n * block, n * block + count)
    const isOneValue = packed && samples.every((sample) => sample === samples[0])
    out.put(isOneValue ? 0 : 2, 8)
    for (const sample of isOneValue ? samples.subarray(0, 1) : samples) {
      const value = Math.round(sample * (2 ** (bits - 1) - 1))
      out.put(value < 0 ? value + 2 ** bits : value, bits)
    }
  }
  out.put(crc(out.bytes, 0x8005, 16), 16)
  return Buffer.from(out.bytes)
}
