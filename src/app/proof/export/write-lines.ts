import { open } from 'node:fs/promises'

const portion = 1 << 20

/** Writes a file of lines a MiB at a time, and has it on disk at the end. */
export const writeLines = async (
  path: string,
  work: (add: (line: string) => Promise<void>) => Promise<void>,
): Promise<void> => {
  const file = await open(path, 'w')
  let waiting = ''
  const flush = async (): Promise<void> => {
    const text = waiting
    waiting = ''
    await file.writeFile(text)
  }
  try {
    await work(async (line) => {
      waiting += line
      if (waiting.length > portion) await flush()
    })
    await flush()
    await file.sync()
  } finally {
    await file.close()
  }
}
