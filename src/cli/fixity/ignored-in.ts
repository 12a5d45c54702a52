import { errorMessage } from '../../async/errors.ts'
import type { ContentStore } from '../../ports/content-store.ts'
import { readIgnoreFile } from '../../workers/fixity/exclusion.ts'
import { RejectedError } from '../ask-command.ts'

/** The patterns of a store's ignore file. One that cannot be used is for a person to mend: throws `RejectedError`. */
export const ignoredIn = async (content: ContentStore): Promise<readonly string[]> => {
  try {
    return await readIgnoreFile(content)
  } catch (error) {
    throw new RejectedError(errorMessage(error))
  }
}
