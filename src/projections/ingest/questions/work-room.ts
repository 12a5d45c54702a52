import type { RoomTerms, Volume } from '../../../domain/ingest/room.ts'
import type { House } from '../../../ports/house.ts'

/** The work volume, as the process that answers sees it. */
export interface WorkRoom {
  readonly volume: Volume
  readonly terms: RoomTerms
}

/** Undefined where its folder is not to be seen from here. */
export const workRoomOf = async (house: House['ingest']): Promise<WorkRoom | undefined> => {
  const volume = await house.workVolume()
  return volume && { volume, terms: house }
}
