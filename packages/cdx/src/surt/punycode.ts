/* RFC 3492, §6.3, with the parameters of §5. */

const base = 36
const least = 1
const most = 26
const skew = 38
const damp = 700
const firstBias = 72
const firstCode = 0x80

/** Encodes a label, without `xn--`. */
export const punycode = (label: string): string => {
  const codes = [...label].map((character) => character.codePointAt(0) ?? 0)
  const basic = codes.filter((code) => code < firstCode)
  let out = String.fromCharCode(...basic) + (basic.length > 0 ? '-' : '')
  let delta = 0
  let bias = firstBias
  let done = basic.length
  for (let code = firstCode; done < codes.length; code++) {
    const next = nextCode(codes, code)
    delta += (next - code) * (done + 1)
    code = next
    for (const one of codes) {
      if (one < code) delta++
      if (one !== code) continue
      out += integer(delta, bias)
      bias = adapted(delta, done + 1, done === basic.length)
      delta = 0
      done++
    }
    delta++
  }
  return out
}

const nextCode = (codes: readonly number[], from: number): number =>
  codes.reduce((least, code) => (code >= from && code < least ? code : least), Number.MAX_SAFE_INTEGER)

/** Encodes an integer of variable length, lowest digit first. */
const integer = (value: number, bias: number): string => {
  let out = ''
  let rest = value
  for (let k = base; ; k += base) {
    const threshold = Math.min(Math.max(k - bias, least), most)
    if (rest < threshold) return out + digit(rest)
    out += digit(threshold + ((rest - threshold) % (base - threshold)))
    rest = Math.floor((rest - threshold) / (base - threshold))
  }
}

/** a–z, then 0–9. */
const digit = (value: number): string => ((value + 10) % base).toString(base)

const adapted = (delta: number, count: number, isFirst: boolean): number => {
  let rest = Math.floor(delta / (isFirst ? damp : 2))
  rest += Math.floor(rest / count)
  let k = 0
  for (; rest > ((base - least) * most) / 2; k += base) rest = Math.floor(rest / (base - least))
  return k + Math.floor(((base - least + 1) * rest) / (rest + skew))
}
