/** Returns the milliseconds of processor time that this thread has taken. Other work on the machine is not counted. */
export const threadMillis = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
