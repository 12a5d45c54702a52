import { errorMessage } from '../../async/errors.ts'
import { isBucketAddress } from '../../domain/kernel/bucket-address.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import { IgnoreFileUnreadable, readIgnoreFile } from '../../workers/fixity/exclusion.ts'
import { RejectedError } from '../ask-command.ts'
import { BucketAwayError } from './store-away-error.ts'

/**
 * The patterns of a store's ignore file. One that cannot be used is for a person to mend: throws `RejectedError`. It is
 * the first key that is asked of a bucket: one that cannot be read there, or be seen to be missing, is a bucket that is
 * away, or refuses. Throws `StoreAwayError` then.
 */
export const ignoredIn = async (
  content: ContentStore,
  { store, root }: { readonly store: string; readonly root: string },
): Promise<readonly string[]> => {
  try {
    return await readIgnoreFile(content)
  } catch (error) {
    if (error instanceof IgnoreFileUnreadable && isBucketAddress(root))
      throw new BucketAwayError(store, root, error.reason)
    throw new RejectedError(errorMessage(error))
  }
}
