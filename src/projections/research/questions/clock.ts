const second = 1_000_000_000

/** A place in an episode: always with tenths, so that places align. */
export const place = (at: number): string => {
  const text = clock(at)
  return text.includes('.') ? text : `${text}.0`
}

/** `1754.2 s` → `29:14.2`: hours and tenths only where they are not zero. */
export const clock = (at: number): string => {
  const tenths = Math.round((at / second) * 10)
  const [hours, minutes] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60]
  const rest = (tenths % 600) / 10
  const seconds = `${rest < 10 ? '0' : ''}${Number.isInteger(rest) ? rest : rest.toFixed(1)}`
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}` : `${minutes}:${seconds}`
}
