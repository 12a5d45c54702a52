/** Bytes of the longest line, without its LF. */
export const maxLineBytes = 1024 ** 2

/** Bytes of a block, which lookups read at a time. */
export const blockBytes = 8192
