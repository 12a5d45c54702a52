import type { ByteWindow } from './byte-window.ts'

const flag = { headerCrc: 2, extra: 4, name: 8, comment: 16, reserved: 0xe0 }

/** Reason why the bytes at the start of the window are not a readable header of a gzip member. */
export type HeaderFault =
  | 'truncated'
  | 'no gzip'
  | 'a method that is not deflate'
  | 'flags that gzip does not have'

/**
 * Length of a member's header (RFC 1952 §2.3), including the extra field, the name, the comment and the
 * header's checksum if its flags announce them.
 */
export const gzipHeaderLength = (window: ByteWindow): number | HeaderFault => {
  const { bytes } = window
  const at = (i: number): number => bytes[window.start + i] ?? 0
  if (!window.has(2)) return at(0) === 0x1f && window.available === 1 ? 'truncated' : 'no gzip'
  if (at(0) !== 0x1f || at(1) !== 0x8b) return 'no gzip'
  if (!window.has(10)) return 'truncated'
  if (at(2) !== 8) return 'a method that is not deflate'
  const flags = at(3)
  if (flags & flag.reserved) return 'flags that gzip does not have'
  let length = 10
  if (flags & flag.extra) {
    if (!window.has(length + 2)) return 'truncated'
    length += 2 + at(length) + 256 * at(length + 1)
  }
  for (const text of [flag.name, flag.comment]) {
    if (!(flags & text)) continue
    do if (!window.has(length + 1)) return 'truncated'
    while (at(length++) !== 0)
  }
  if (flags & flag.headerCrc) length += 2
  return window.has(length) ? length : 'truncated'
}
