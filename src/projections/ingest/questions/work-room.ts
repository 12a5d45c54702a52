import type { RoomTerms, Volume } from '../../../domain/ingest/room.ts'
import type { WorkArea } from '../../../domain/ingest/work-area.ts'

/** The work volume, as the process that answers sees it. */
export interface WorkRoom {
  readonly volume: Volume
  readonly terms: RoomTerms
}

/** Undefined if its folder is not visible from here. */
export const workRoomOf = async (area: WorkArea): Promise<WorkRoom | undefined> => {
  const volume = await area.workVolume()
  return volume && { volume, terms: area }
}
