import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { UnavailableError } from '../../src/async/unavailable.ts'

/** Merges sorted files into a new one, each line once, by the `sort` of the machine. */
export const gnuMerge = async (paths: readonly string[], into: string): Promise<void> => {
  const child = spawn('sort', ['-m', '-u', '--files0-from=-', '-o', into], {
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  let errorText = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorText += text
  })
  const ended = once(child, 'close')
  // A program that ends before it has read all says why on its standard error.
  child.stdin.on('error', () => {})
  child.stdin.end(paths.map((path) => `${path}\0`).join(''))
  const [code] = await ended.catch((error: Error) => {
    throw new UnavailableError(`GNU sort cannot be run (FONDS_INDEXING_SORT=gnu): ${error.message}`)
  })
  if (code !== 0)
    throw new UnavailableError(
      `GNU sort failed (FONDS_INDEXING_SORT=gnu): ${errorText.trim() || `it ended with ${code}`}`,
    )
}
