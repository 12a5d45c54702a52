import { nameprep } from './nameprep.ts'
import { punycode } from './punycode.ts'

/** IDNA 2003 (RFC 3490 §4.1): a host in ASCII, or undefined if a label is not a name. */
export const toAscii = (host: string): string | undefined => {
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
