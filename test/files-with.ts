import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Files below a folder that have the text in some of their bytes: as it is, or in base64 at each of the three places. */
export const filesWith = (folder: string, text: string): readonly string[] => {
  if (Buffer.byteLength(text) < 8) throw new RangeError(`${text} is too short to be looked for`)
  const forms = [text, ...[0, 1, 2].map((shift) => inBase64(text, shift))].map((form) => Buffer.from(form))
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return []
    const file = join(entry.parentPath, entry.name)
    const bytes = readFileSync(file)
    return forms.some((form) => bytes.includes(form)) ? [file] : []
  })
}

/** The characters of base64 that the text alone decides, where so many bytes stand before it. */
const inBase64 = (text: string, shift: number): string => {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)])
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64')
  return whole.slice(shift === 0 ? 0 : 4)
}
