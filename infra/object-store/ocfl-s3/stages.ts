import { StorageRootError } from '@fonds/ocfl'
import { type BucketRoot, ConditionFailed } from '@fonds/ocfl/bucket'
import { UnavailableError } from '../../../src/async/unavailable.ts'
import type { Stages } from '../../../src/ports/object-store.ts'
import { S3Error } from '../../s3/errors.ts'

/** The stages of a root, whose failures that pass are `UnavailableError`. */
export const stagesOf = ({ stages }: BucketRoot): Stages => ({
  open: async (of) => {
    const stage = await available(() => stages.open(of))
    return {
      begin: (path, size) => {
        const intake = stage.begin(path, size)
        return {
          get size() {
            return intake.size
          },
          write: (chunk) => available(() => intake.write(chunk)),
          end: (accept) => available(() => intake.end(accept)),
          abort: intake.abort,
        }
      },
      note: () => available(stage.note),
    }
  },
  files: (id) => available(() => stages.files(id)),
  ids: () => available(stages.ids),
  remove: (id) => available(() => stages.remove(id)),
})

const available = async <A>(work: () => Promise<A>): Promise<A> => {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Error) || !passes(error)) throw error
    throw new UnavailableError(`storage: ${error.message}`, { cause: error })
  }
}

const passes = (error: Error): boolean =>
  error instanceof S3Error
    ? error.isTransient
    : error instanceof ConditionFailed || error instanceof StorageRootError
