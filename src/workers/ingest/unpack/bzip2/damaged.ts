export const damaged = (why: string): Error => new Error(`its bzip2 data is damaged: ${why}`)
