/** Milliseconds of the processor that this thread has taken. What other work on the machine takes meanwhile is not in it. */
export const threadMillis = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
