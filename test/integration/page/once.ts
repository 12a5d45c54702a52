import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { until } from '../../e2e/run-fonds.ts'

/** Makes a folder once for all files of a run: the first that needs it makes it, others wait. Where that failed, it fails for all. */
export const once = async (folder: string, make: (folder: string) => Promise<void>): Promise<void> => {
  const [begun, made, failed] = [`${folder}.begun`, `${folder}.made`, `${folder}.failed`] as const
  const isFirst = await mkdir(begun).then(
    () => true,
    () => false,
  )
  if (isFirst)
    try {
      await mkdir(folder)
      await make(folder)
      await writeFile(made, '')
    } catch (error) {
      await writeFile(failed, String(error))
      throw error
    }
  else await until(`${folder} is made`, () => existsSync(made) || existsSync(failed))
  if (existsSync(failed)) throw new Error(`${folder} could not be made by another file`)
}
