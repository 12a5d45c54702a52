import { spawn } from 'node:child_process'
import { createHash, randomFillSync } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { join } from 'node:path'

/* Files to digest, and the peers that digest them: a bare loop over node:crypto, and sha256sum. */

export const MiB = 1024 ** 2
export interface Sample {
  readonly name: string
  readonly root: string
  readonly files: readonly string[]
  readonly bytes: number
}

export interface Contender {
  readonly name: string
  /** Digests in the order of the files. */
  readonly run: (sample: Sample) => Promise<readonly string[]>
}

export const makeSample = async (parent: string, name: string, sizes: readonly number[]): Promise<Sample> => {
  const root = join(parent, name)
  await mkdir(root)
  const block = Buffer.allocUnsafe(MiB)
  const files: string[] = []
  for (const [i, size] of sizes.entries()) {
    const path = `${String(i).padStart(6, '0')}.bin`
    const file = await open(join(root, path), 'w')
    for (let left = size; left > 0; left -= MiB) {
      randomFillSync(block)
      await file.write(block, 0, Math.min(left, MiB))
    }
    await file.close()
    files.push(path)
  }
  return { name, root, files, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/** Interleaves, so that no contender meets all the small files in one go. */
export const mix = (small: readonly number[], large: readonly number[]): number[] => {
  const every = Math.max(1, Math.floor(small.length / (large.length + 1)))
  return small.flatMap((size, i) => {
    const big = i % every === 0 ? large[i / every] : undefined
    return big === undefined ? [size] : [big, size]
  })
}

export const bareLoop: Contender = {
  name: 'bare node:crypto loop',
  run: async ({ root, files }) => {
    const digests: string[] = []
    for (const path of files) {
      const hash = createHash('sha256')
      for await (const chunk of createReadStream(join(root, path))) hash.update(chunk)
      digests.push(hash.digest('hex'))
    }
    return digests
  },
}

export const sha256sum: Contender = {
  name: 'sha256sum',
  run: ({ root, files }) =>
    new Promise((resolve, reject) => {
      const child = spawn('sha256sum', ['--', ...files], { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
      let output = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
      child.on('error', reject)
      child.on('close', () =>
        resolve(
          output
            .trimEnd()
            .split('\n')
            .map((line) => line.slice(0, 64)),
        ),
      )
    }),
}
