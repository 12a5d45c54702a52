import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

/**
 * The compiler's errors in each source, by the source's key: it refuses unknown fields, missing ones and wrong types of
 * a literal at any depth.
 */
export const typeFaults = async (
  sources: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const scratch = mkdtempSync(join(tmpdir(), 'fonds-types-'))
  try {
    const files = new Map([...sources].map(([key, source], index) => [`source${index}.ts`, { key, source }]))
    for (const [file, { source }] of files) writeFileSync(join(scratch, file), source)
    const compiler = resolve('node_modules/typescript/bin/tsc')
    const flags = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--ignoreConfig',
      '--pretty',
      'false',
      '--module',
      'esnext',
    ]
    const printed = await promisify(execFile)(
      process.execPath,
      [compiler, ...flags, '--moduleResolution', 'bundler', ...files.keys()],
      { cwd: scratch },
    ).then(
      () => '',
      ({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }) => `${stdout}${stderr}`,
    )
    const lines = printed.split('\n').filter((line) => line.includes('error TS'))
    const faults = [...files].map(
      ([file, { key }]) => [key, lines.filter((line) => line.includes(`${file}(`))] as const,
    )
    const placed = faults.reduce((sum, [, ofOne]) => sum + ofOne.length, 0)
    if (placed < lines.length || (printed !== '' && lines.length === 0))
      throw new Error(`the compiler printed: ${printed}`)
    return new Map(faults)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}
