import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { objectStoreSuite } from '../../contracts/object-store.ts'
import { useBucketStore } from './bucket-store.ts'
import { useRoot } from './root-folder.ts'

describe('on a file system', () =>
  objectStoreSuite(async () => {
    const { root, open, file } = useRoot()
    const lose = async (ending: string) => {
      const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((path) =>
        path.endsWith(ending),
      )
      rmSync(join(root, found!))
    }
    return { open: () => open(), file, lose }
  }))

describe('in a bucket', () => objectStoreSuite(() => useBucketStore()))
