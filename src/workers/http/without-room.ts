import { withoutLogin } from '@fonds/download'
import type { Part } from '@fonds/download/http'
import { isResumable } from '@fonds/download/http'
import { NoRoom } from '../../async/machine-failure.ts'
import { bytes } from '../../domain/kernel/amounts.ts'
import type { Rooms } from '../runtime/room.ts'

interface WithoutRoom {
  /** The part is left on disk, to be resumed. */
  readonly isKept: boolean
  /** Its message says whether the part is kept. */
  readonly failure: NoRoom
}

/**
 * Decides what to do with a download that the disk has no room for. Its part is kept if the download can be resumed,
 * unless the part takes more than half of the usable space: it would keep the disk from all others.
 */
export const withoutRoom = async (
  { message, missing }: NoRoom,
  part: Pick<Part, 'size' | 'representation'>,
  { uri, folder, rooms }: { readonly uri: string; readonly folder: string; readonly rooms: Rooms },
): Promise<WithoutRoom> => {
  const { most } = await rooms.at(folder)
  const isKept = isResumable(part) && part.size * 2 <= most
  const came = isKept
    ? `${bytes(part.size)} of it arrived and are kept`
    : `${bytes(part.size)} of it arrived and are not kept: the download cannot be resumed, or they would keep the disk from others`
  // If the total is unknown, a little more room would not be enough for long.
  const more = part.representation.total === undefined ? Math.max(missing, Math.ceil(part.size / 4)) : missing
  return {
    isKept,
    failure: new NoRoom(`${withoutLogin(uri)}: ${message}${part.size > 0 ? `; ${came}` : ''}`, more),
  }
}
