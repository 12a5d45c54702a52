import { UnreadableArchive } from '@fonds/warc'
import type { SourceFile } from '@fonds/warc/read'
import { MachineFailure } from '../../../async/machine-failure.ts'
import { RingFailure, readRing } from '../../../async/threads/ring/read-ring.ts'
import type { ContentFailure } from '../../../ports/content-store.ts'
import type { StreamFile } from './messages.ts'

/**
 * The file as a thread reads that may block. `onWait` is called now and then while it waits for bytes. All calls throw
 * `UnreadableArchive`, `MachineFailure` and `RingStopped`.
 */
export const openStream = (
  { memory, size, modifiedAt, location, maxWaitMillis }: StreamFile,
  onWait: () => void,
): SourceFile => {
  let readAt = performance.now()
  const wait = () => {
    onWait()
    if (performance.now() - readAt < maxWaitMillis) return
    const seconds = maxWaitMillis / 1000
    throw new UnreadableArchive('unreadable', `${location} cannot be read: nothing came for ${seconds} s`)
  }
  const ring = readRing(memory, { size, onWait: wait })
  const orUnreadable = <A>(work: () => A): A => {
    readAt = performance.now()
    try {
      return work()
    } catch (error) {
      throw error instanceof RingFailure ? errorOf(error.failure as ContentFailure, location) : error
    }
  }
  return {
    size,
    modifiedAt: new Date(modifiedAt),
    read: (offset, buffer) => orUnreadable(() => ring.read(offset, buffer)),
    hasChanged: () => orUnreadable(() => !ring.isUnchanged()),
    close: ring.close,
  }
}

const errorOf = (failure: ContentFailure, location: string): Error => {
  switch (failure.kind) {
    case 'NotFound':
      return new UnreadableArchive('not-found', `${location} is not there`)
    case 'Changed':
      return new UnreadableArchive('growing', `${location} changed while it was read`)
    case 'Machine':
      return new MachineFailure(failure.reason)
    case 'Refused':
    case 'Unreadable':
      return new UnreadableArchive('unreadable', `${location} cannot be read: ${failure.reason}`)
  }
}
