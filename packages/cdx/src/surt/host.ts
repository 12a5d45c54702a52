import { nameprep } from './nameprep.ts'
import { bytesOf, escaped, textOf, unescaped } from './percent.ts'
import { punycode } from './punycode.ts'
import { withoutEnd, withoutStart } from './strip.ts'

/** Lower case, in Punycode, without dots at its ends, and as a rule without `www.`; an IPv4 address in any spelling is `1.2.3.4`. */
export const canonicalHost = (host: string, isWwwDropped: boolean): string => {
  const canonical = isCanonical.test(host) ? host : lowerCaseHost(host)
  return isWwwDropped && canonical.startsWith('www') ? canonical.replace(www, '') : canonical
}

/** Matches canonical hosts, which most are. */
const isCanonical = /^[a-z][a-z\d-]*(?:\.[a-z\d-]+)+$/
const www = /^www\d*\./

/** `org,example` for `example.org`. */
export const reversedHost = (host: string): string => {
  let reversed = ''
  let end = host.length
  for (let dot = host.lastIndexOf('.'); dot !== -1; dot = dot > 0 ? host.lastIndexOf('.', dot - 1) : -1) {
    reversed += `${host.slice(dot + 1, end)},`
    end = dot
  }
  return reversed + host.slice(0, end)
}

const lowerCaseHost = (host: string): string => {
  const plain = isPlain.test(host) ? host : decoded(unescaped(host))
  const dotted = withoutEnd(withoutStart(plain, '.'), '.').replaceAll('..', '.')
  return escaped(ipv4(dotted) ?? dotted).toLowerCase()
}

const isPlain = /^[\w.-]*$/

/** Bytes that are not a name are kept as they are. */
const decoded = (host: string): string => {
  const name = toAscii(textOf(host))
  return name === undefined ? host : bytesOf(name)
}

/** Reads one decimal number, or two to four parts, decimal or octal. The last includes the missing ones. */
const ipv4 = (host: string): string | undefined => {
  if (!isNumeric.test(host)) return undefined
  if (!host.includes('.')) return dotted(Number(BigInt(host) & 0xffffffffn))
  if (isHalfOctal.test(host)) return undefined
  const parts = host.split('.').map(numberOf)
  const last = parts.pop() ?? 0
  const isAddress = parts.length < 4 && parts.every((part) => part < 256) && last < 256 ** (4 - parts.length)
  return isAddress ? dotted(parts.reduce((sum, part, i) => sum + part * 256 ** (3 - i), last)) : undefined
}

const isNumeric = /^\d+(?:\.\d+){0,3}$/

/** Matches an octal first part, and an 8 or 9: the dialect wants octal digits everywhere. */
const isHalfOctal = /^0.*[89]/

/** NaN if an octal number has an 8. */
const numberOf = (part: string): number => (part.startsWith('0') ? Number(`0o0${part}`) : Number(part))

const dotted = (address: number): string => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255).join('.')

/** IDNA 2003 (RFC 3490 §4.1): a host in ASCII, or undefined if a label is not a name. */
const toAscii = (host: string): string | undefined => {
  if (host === '') return host
  const labels = host.split(/[.\u3002\uff0e\uff61]/)
  const converted = labels.map((label, i) =>
    label === '' && i > 0 && i === labels.length - 1 ? '' : asciiLabel(label),
  )
  return converted.includes(undefined) ? undefined : converted.join('.')
}

const asciiLabel = (label: string): string | undefined => {
  const name = isAscii.test(label) ? label : nameprep(label)
  if (name === undefined) return undefined
  if (isAscii.test(name)) return ofLength(name)
  return name.startsWith('xn--') || name.length > maxLength ? undefined : ofLength(`xn--${punycode(name)}`)
}

const isAscii = /^[\0-\x7f]*$/
const maxLength = 63
const ofLength = (label: string): string | undefined =>
  label.length > 0 && label.length <= maxLength ? label : undefined
