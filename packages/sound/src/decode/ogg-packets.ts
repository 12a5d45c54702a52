import type { Page } from './ogg-pages.ts'

/** The whole packets that end in a page. */
export interface Packets {
  readonly packets: readonly Buffer[]
  /** Pages between this one and the one before are missing, or were damaged. */
  readonly isBehindLoss: boolean
}

/** Joins the packets of one stream, of which each page is given. A packet of which a part is missing is left out. */
export const createPackets = () => {
  let sequence: number | undefined
  /** A packet that is not whole yet. */
  let begun: Buffer[] = []
  let isBehindLoss = false

  return (page: Page, mayUseDamaged: boolean): Packets => {
    const isNext = sequence === undefined || page.sequence === sequence + 1
    sequence = page.isDamaged && !isNext ? undefined : page.sequence
    if (!isNext) begun = []
    const isUsable = !page.isDamaged || mayUseDamaged
    if (!isNext || page.isDamaged || page.passedOver > 0) isBehindLoss = true
    if (!isUsable) {
      begun = []
      return { packets: [], isBehindLoss: true }
    }
    const packets = [...page.packets]
    if (page.isContinued) {
      const part = packets.shift()
      if (part && begun.length > 0) packets.unshift(Buffer.concat([...begun, part]))
    }
    begun = page.goesOn && packets.length > 0 ? packets.splice(-1) : []
    const result = { packets, isBehindLoss }
    // The place of what follows is known as soon as a page states its own.
    if (page.granule !== undefined && !page.isDamaged) isBehindLoss = false
    return result
  }
}
