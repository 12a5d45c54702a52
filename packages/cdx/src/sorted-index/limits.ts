/** The longest line, without its LF. */
export const maxLineBytes = 1024 ** 2

/** Look-ups read so many bytes at a time. */
export const blockBytes = 8192
