import { createHash } from 'node:crypto'
import {
  closeSync,
  futimesSync,
  mkdirSync,
  openSync,
  readSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/* A tree as archives have them: thousands of files, bags, checksum files, and names that nobody would choose. */

/** Each of them is a file name that a file system takes. */
export const hostileNames = [
  'new\nline.txt',
  'car\rriage.txt',
  'tab\tulator.txt',
  'right-to-left-\u202etxt.exe',
  'escape-\u001b[31mred.txt',
  `quotes-'single'-"double"-\`back\`.txt`,
  'back\\slash.txt',
  `${'long-'.repeat(39)}.txt`,
  '-rf',
  '--help',
  '📷 plate 🏳️‍🌈.tif',
  // NFC and NFD: two files, whatever they look like.
  'caf\u00e9.txt',
  'cafe\u0301.txt',
  ' ',
  ' leading and trailing ',
  '...',
  '%2e%2e%2fpasswd',
  '$(reboot)',
  'a=b&c?d#e',
  '*',
  '__proto__',
  'constructor',
  'null',
  'line\u2028separator',
  '\ufeffbyte order mark',
  'comma,semicolon;.csv',
  'DROP TABLE items;--',
] as const

const digest = (algorithm: string, bytes: Buffer): string => createHash(algorithm).update(bytes).digest('hex')

/** Bytes that differ from file to file and are the same on every run. */
const scan = (path: string, size: number): Buffer =>
  Buffer.alloc(size, createHash('sha512').update(path).digest())

export const writeContent = (root: string, path: string, bytes: Buffer | string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), bytes)
}

/** Makes about as many files as asked for. Returns their paths, manifests among them. */
export const buildTree = (root: string, files: number): readonly string[] => {
  const paths: string[] = []
  const write = (path: string, bytes: Buffer | string) => {
    writeContent(root, path, bytes)
    paths.push(path)
  }
  const several = (count: number, pathOf: (i: number) => string): (readonly [string, Buffer])[] =>
    Array.from({ length: count }, (_, i) => {
      const path = pathOf(i)
      const bytes = scan(path, i % 97 === 0 ? 70_000 : 20 + ((i * 37) % 4000))
      write(path, bytes)
      return [path, bytes] as const
    })
  const below = (folder: string, path: string) => path.slice(folder.length + 1)

  const bagged = several(files / 4, (i) => `bag/data/box ${i % 12}/${i}.tif`)
  write('bag/bagit.txt', 'BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n')
  write(
    'bag/manifest-sha256.txt',
    bagged.map(([path, bytes]) => `${digest('sha256', bytes)}  ${below('bag', path)}\n`).join(''),
  )
  const summed = several(files / 4, (i) => `plates/${i % 5}/plate-${i}.dng`)
  write(
    'plates/MD5SUMS',
    summed.map(([path, bytes]) => `${digest('md5', bytes)}  ${below('plates', path)}\n`).join(''),
  )
  several(files / 2, (i) => `letters/${i % 10}/a/b/c/${'d/'.repeat(i % 7)}${i}.txt`)
  for (const name of hostileNames) write(`names/${name}`, scan(name, 64))
  write('names/deep \n\t"folder"/-x/empty', '')
  return paths
}

/** Changes one byte in place and keeps size and modification time, as a failing disk does. Twice: as it was. */
export const flipByte = (file: string, at = 10): void => {
  const { atime, mtime } = statSync(file)
  const descriptor = openSync(file, 'r+')
  const byte = Buffer.alloc(1)
  readSync(descriptor, byte, 0, 1, at)
  byte[0] = byte[0]! ^ 0x01
  writeSync(descriptor, byte, 0, 1, at)
  futimesSync(descriptor, atime, mtime)
  closeSync(descriptor)
}
